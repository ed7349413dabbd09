#!/usr/bin/env python3
"""Writes the tool's schema (minified) and description as one C++ include: embed.py SCHEMA.json DESCRIPTION.txt OUT.inc"""
import json
import sys


def literal(text: str) -> str:
    # Pieces, since compilers need not take one string literal of any length.
    pieces = [text[i : i + 2000] for i in range(0, len(text), 2000)]
    return "\n".join(f'R"deskmark({piece})deskmark"' for piece in pieces)


schema_path, description_path, out_path = sys.argv[1:]
with open(schema_path, encoding="utf-8") as file:
    schema = json.dumps(json.load(file), ensure_ascii=False, separators=(",", ":"))
with open(description_path, encoding="utf-8") as file:
    description = file.read().strip()
with open(out_path, "w", encoding="utf-8") as out:
    out.write(f"constexpr std::string_view kSchemaText =\n{literal(schema)};\n")
    out.write(f"constexpr std::string_view kDescription =\n{literal(description)};\n")
