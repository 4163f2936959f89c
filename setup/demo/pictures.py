# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Files that are drawn rather than written: photographs of a kind, plans, sounds, letters on paper."""

import io
import math
import struct
import wave
import zlib

Colour = tuple[int, int, int]
WIDTH, HEIGHT = 720, 480


def png(rows: list[bytes], width: int) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def landscape(sky: tuple[Colour, Colour], sun: tuple[int, int, int], hills: list[tuple[int, float, Colour]]) -> bytes:
    """A sky that changes from top to horizon, a sun at x, y with a radius, and hills from the farthest to the nearest:
    height, steepness, colour."""
    ridges = [[HEIGHT - height - int(height * 0.35 * math.sin(x * steep / 40) + 12 * math.sin(x * steep / 9))
               for x in range(WIDTH)] for height, steep, _ in hills]
    sun_x, sun_y, radius = sun
    light = bytes(min(255, part + 60) for part in sky[1])
    rows = []
    for y in range(HEIGHT):
        share = y / HEIGHT
        air = bytes(int(top + (low - top) * share) for top, low in zip(*sky, strict=True))
        row = bytearray(air * WIDTH)
        half = math.isqrt(max(0, radius * radius - (y - sun_y) ** 2))
        if half:
            first = max(0, sun_x - half)
            row[3 * first:3 * (sun_x + half)] = light * (sun_x + half - first)
        for ridge, (_, _, colour) in zip(ridges, hills, strict=True):
            _fill_below(row, ridge, y, bytes(colour))
        rows.append(bytes(row))
    return png(rows, WIDTH)


def _fill_below(row: bytearray, ridge: list[int], y: int, colour: bytes) -> None:
    first = None
    for x in range(WIDTH + 1):
        inside = x < WIDTH and ridge[x] <= y
        if inside and first is None:
            first = x
        elif not inside and first is not None:
            row[3 * first:3 * x] = colour * (x - first)
            first = None


def portrait(ground: Colour, skin: Colour, hair: Colour, shirt: Colour) -> bytes:
    """Somebody, from the shoulders up, as a child would cut it out of paper."""
    size = 160

    def colour_at(x: int, y: int) -> Colour:
        if (x - 80) ** 2 + (y - 72) ** 2 < 34 ** 2 and y > 58:
            return skin
        if (x - 80) ** 2 + (y - 66) ** 2 < 40 ** 2 and y < 92:
            return hair
        if abs(x - 80) < 12 and 96 < y < 122:
            return skin
        return shirt if ((x - 80) / 58) ** 2 + ((y - 168) / 56) ** 2 < 1 else ground

    return png([bytes(part for x in range(size) for part in colour_at(x, y)) for y in range(size)], size)


PORTRAITS = {
    "demo": portrait((226, 232, 240), (236, 196, 164), (92, 60, 40), (138, 75, 42)),
    "mira": portrait((254, 240, 213), (141, 94, 66), (32, 26, 26), (15, 118, 110)),
    "jonas": portrait((219, 234, 254), (243, 208, 182), (208, 160, 80), (37, 99, 235)),
    "hana": portrait((252, 231, 243), (240, 204, 170), (24, 24, 30), (190, 24, 93)),
}

PHOTOGRAPHS = {
    "Evening on the quay.png": landscape(
        ((38, 44, 92), (240, 140, 92)), (520, 300, 46), [(170, 0.9, (92, 66, 100)), (90, 1.6, (48, 40, 66))]),
    "First snow.png": landscape(
        ((150, 178, 205), (232, 238, 242)), (170, 120, 30), [(230, 0.7, (196, 208, 220)), (110, 1.2, (240, 244, 247))]),
    "Brittany, low tide.png": landscape(
        ((86, 150, 200), (214, 230, 232)), (600, 90, 34), [(200, 0.5, (64, 122, 140)), (120, 0.8, (214, 190, 148))]),
    "Harz, above the clouds.png": landscape(
        ((70, 120, 190), (250, 226, 190)), (360, 210, 40), [(240, 1.1, (110, 140, 130)), (150, 1.7, (66, 100, 84)),
                                                           (70, 2.3, (34, 62, 52))]),
}


def plan(title: str, rooms: list[tuple[int, int, int, int, str]]) -> bytes:
    """A floor plan as SVG: rooms with x, y, width, height in decimetres and a name."""
    drawn = "".join(
        f'<rect x="{x * 4}" y="{y * 4}" width="{w * 4}" height="{h * 4}" fill="#fff" stroke="#333" stroke-width="3"/>'
        f'<text x="{(x + w / 2) * 4}" y="{(y + h / 2) * 4}" text-anchor="middle" font-size="14">{name}</text>'
        f'<text x="{(x + w / 2) * 4}" y="{(y + h / 2) * 4 + 18}" text-anchor="middle" font-size="11" fill="#666">'
        f"{w * h / 100:.1f} m²</text>" for x, y, w, h, name in rooms)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -50 640 440" font-family="sans-serif">'
            f'<rect x="-20" y="-50" width="640" height="440" fill="#f4f1ea"/><text x="0" y="-18" font-size="18">{title}</text>'
            f"{drawn}</svg>\n").encode()


def letter(lines: list[str]) -> bytes:
    """One page of text as PDF."""
    def quoted(line: str) -> bytes:
        return line.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")

    text = b"BT /F1 18 Tf 72 760 Td (" + quoted(lines[0]) + b") Tj /F1 11 Tf 0 -36 Td 16 TL " + b" ".join(
        b"(" + quoted(line) + b") Tj T*" for line in lines[1:]) + b" ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text),
    ]
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1, table, len(objects) + 1, len(out))


def melody(notes: list[tuple[int, float]], rate: int = 11025) -> bytes:
    """Half tones above middle C with how many seconds each lasts, as WAV."""
    samples = bytearray()
    for tone, seconds in notes:
        step = 2 * math.pi * 261.63 * 2 ** (tone / 12) / rate
        count = int(seconds * rate)
        for number in range(count):
            fading = min(1.0, number / 200) * (1 - number / count)
            value = math.sin(number * step) + 0.3 * math.sin(2 * number * step)
            samples += struct.pack("<h", int(9000 * fading * value))
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(bytes(samples))
    return file.getvalue()
