// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

export const PHOTO_SIDE = 256;
/** What the server takes. */
export const PHOTO_BYTES_MAX = 40 * 1024;

const QUALITIES = [0.9, 0.8, 0.7, 0.6, 0.45, 0.3];

/** The greatest square in the middle of a picture. */
export function middleSquare(width: number, height: number): { x: number; y: number; side: number } {
  const side = Math.min(width, height);
  return { x: Math.floor((width - side) / 2), y: Math.floor((height - side) / 2), side };
}

/** Draws the middle of the picture, upright, at the size photos are kept in. Throws for what is no picture. */
export async function drawPhoto(file: Blob, canvas: HTMLCanvasElement): Promise<void> {
  const picture = await createImageBitmap(file);
  const { x, y, side } = middleSquare(picture.width, picture.height);
  canvas.width = PHOTO_SIDE;
  canvas.height = PHOTO_SIDE;
  const paper = canvas.getContext('2d')!;
  // JPEG knows no transparency, and black behind a face is nobody's wish.
  paper.fillStyle = '#ffffff';
  paper.fillRect(0, 0, PHOTO_SIDE, PHOTO_SIDE);
  paper.imageSmoothingQuality = 'high';
  paper.drawImage(picture, x, y, side, side, 0, 0, PHOTO_SIDE, PHOTO_SIDE);
  picture.close();
}

const encode = (canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, type, quality));

/** What is on the canvas, as well as it fits; null when nothing small enough comes of it. */
export async function encodePhoto(canvas: HTMLCanvasElement): Promise<Blob | null> {
  for (const quality of QUALITIES) {
    for (const type of ['image/webp', 'image/jpeg']) {
      const photo = await encode(canvas, type, quality);
      // A browser that does not know a type makes a PNG of it.
      if (photo !== null && photo.type === type && photo.size <= PHOTO_BYTES_MAX) {
        return photo;
      }
    }
  }
  return null;
}
