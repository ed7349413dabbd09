"""Reads the drawn numbers back with OCR: each label cut out, enlarged four times, a page of its own; digits only."""
import base64
import os
import subprocess
import tempfile

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf  # noqa: E402

ENLARGE, MARGIN = 4, 20  # the margin is Tesseract's own advice: about ten pixels round a line, here enlarged


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


def page(cut):
    """A PGM of the enlarged label `cut`, the label's own ground going on around it: an edge beside a digit is read as a stroke."""
    rows = gray(cut.scale_simple(cut.get_width() * ENLARGE, cut.get_height() * ENLARGE, GdkPixbuf.InterpType.HYPER))
    values = sorted(v for row in rows for v in row)
    ground = bytes([values[len(values) // 2]])
    width, side = len(rows[0]) + 2 * MARGIN, ground * MARGIN
    above = ground * width * MARGIN
    return b"P5 %d %d 255\n" % (width, len(rows) + 2 * MARGIN) + above + b"".join(side + bytes(row) + side for row in rows) + above


def read_back(encoded, boxes):
    """{number: digits read} for the labels of one picture (base64). `boxes`: {index, box: [x, y, w, h]} in picture pixels."""
    picture = picture_of(encoded)
    found = {label["index"]: "" for label in boxes}
    with tempfile.TemporaryDirectory() as home:
        paths = [os.path.join(home, f"{label['index']}.pgm") for label in boxes]
        for path, label in zip(paths, boxes):
            with open(path, "wb") as file:
                file.write(page(picture.new_subpixbuf(*label["box"])))
        pages = os.path.join(home, "pages.txt")
        with open(pages, "w", encoding="utf-8") as file:
            file.writelines(path + "\n" for path in paths)
        run = subprocess.run(["tesseract", pages, "-", "--psm", "7", "-c", "tessedit_char_whitelist=0123456789", "tsv"], timeout=120,
                             env=dict(os.environ, OMP_THREAD_LIMIT="1"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in run.stdout.splitlines()[1:]:
        part = line.split("\t")
        if len(part) == 12 and part[11].strip():
            found[boxes[int(part[1]) - 1]["index"]] += part[11].strip()
    return found
