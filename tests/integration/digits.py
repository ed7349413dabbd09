"""Reads the drawn numbers back with OCR: each label cut out, enlarged four times, in a sheet of its own cells; digits only."""
import base64
import os
import subprocess
import tempfile

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf  # noqa: E402

COLUMNS, CELL_W, CELL_H, ENLARGE = 8, 260, 120, 4


def picture_of(encoded):
    loader = GdkPixbuf.PixbufLoader()
    loader.write(base64.b64decode(encoded))
    loader.close()
    return loader.get_pixbuf()


def gray(pixbuf):
    """Rows of luminance; dark on light, whatever it was."""
    channels, stride, data = pixbuf.get_n_channels(), pixbuf.get_rowstride(), pixbuf.get_pixels()
    rows = []
    for y in range(pixbuf.get_height()):
        line = data[y * stride:y * stride + pixbuf.get_width() * channels]
        rows.append([(r * 2 + g * 5 + b) >> 3 for r, g, b in zip(line[0::channels], line[1::channels], line[2::channels])])
    values = sorted(v for row in rows for v in row)
    if values[len(values) // 2] < 128:  # most of a label is its ground
        rows = [[255 - v for v in row] for row in rows]
    return rows


def read_back(encoded, boxes):
    """{number: digits read} for the labels of one picture (base64). `boxes`: {index, box: [x, y, w, h]} in picture pixels."""
    picture = picture_of(encoded)
    lines = (len(boxes) + COLUMNS - 1) // COLUMNS
    sheet = [bytearray(b"\xff" * (COLUMNS * CELL_W)) for _ in range(max(1, lines) * CELL_H)]
    for i, label in enumerate(boxes):
        x, y, w, h = label["box"]
        cut = picture.new_subpixbuf(x, y, w, h).scale_simple(w * ENLARGE, h * ENLARGE, GdkPixbuf.InterpType.HYPER)
        left, top = i % COLUMNS * CELL_W + 40, i // COLUMNS * CELL_H + 24
        for dy, row in enumerate(gray(cut)[:CELL_H - 28]):
            row = row[:CELL_W - 44]
            sheet[top + dy][left:left + len(row)] = bytes(row)
    with tempfile.TemporaryDirectory() as home:
        path = os.path.join(home, "sheet.pgm")
        with open(path, "wb") as file:
            file.write(b"P5 %d %d 255\n" % (COLUMNS * CELL_W, len(sheet)) + b"".join(sheet))
        run = subprocess.run(["tesseract", path, "-", "--psm", "6", "-c", "tessedit_char_whitelist=0123456789", "tsv"], timeout=120,
                             env=dict(os.environ, OMP_THREAD_LIMIT="1"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    found = {label["index"]: "" for label in boxes}
    for line in run.stdout.splitlines()[1:]:
        part = line.split("\t")
        if len(part) == 12 and part[11].strip():
            cell = (int(part[7]) + int(part[9]) // 2) // CELL_H * COLUMNS + (int(part[6]) + int(part[8]) // 2) // CELL_W
            if cell < len(boxes):
                found[boxes[cell]["index"]] += part[11].strip()
    return found
