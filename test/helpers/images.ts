import { crc32, deflateSync } from 'node:zlib';

/** The smallest files that show the format and size of an image. */

const bytes = (...values: number[]): Buffer => Buffer.from(values);

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

function u16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(value);
  return buffer;
}

const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type), body]);
};

export function png(width: number, height: number): Buffer {
  const header = Buffer.concat([Buffer.from('IHDR'), u32(width), u32(height), bytes(8, 2, 0, 0, 0)]);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), u32(13), header, u32(0), u32(0), Buffer.from('IEND'), u32(0)]);
}

export function jpeg(width: number, height: number): Buffer {
  const jfif = Buffer.concat([bytes(0xff, 0xe0), u16(16), Buffer.from('JFIF\0'), bytes(1, 1, 0, 0, 1, 0, 1, 0, 0)]);
  const frame = Buffer.concat([bytes(0xff, 0xc0), u16(11), bytes(8), u16(height), u16(width), bytes(1, 1, 0x11, 0)]);
  return Buffer.concat([bytes(0xff, 0xd8), jfif, frame, bytes(0xff, 0xd9)]);
}

export function gif(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  return Buffer.concat([Buffer.from('GIF89a'), size, bytes(0, 0, 0, 0x3b)]);
}

export function webp(width: number, height: number): Buffer {
  const size = Buffer.alloc(10);
  size.writeUIntLE(width - 1, 4, 3);
  size.writeUIntLE(height - 1, 7, 3);
  return Buffer.concat([Buffer.from('RIFF'), bytes(22, 0, 0, 0), Buffer.from('WEBPVP8X'), bytes(10, 0, 0, 0), size]);
}

export function avif(width: number, height: number): Buffer {
  const size = box('ispe', u32(0), u32(width), u32(height));
  const meta = box('meta', u32(0), box('iprp', box('ipco', size)));
  return Buffer.concat([box('ftyp', Buffer.from('avif'), u32(0), Buffer.from('avifmif1')), meta]);
}

/** An image of one colour that a browser can show. */
export function picture(width: number, height: number, colour: readonly [red: number, green: number, blue: number]): Buffer {
  const row = Buffer.concat([bytes(0), ...Array.from({ length: width }, () => bytes(...colour))]);
  const chunk = (name: string, content: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(name), content]);
    return Buffer.concat([u32(content.length), named, u32(crc32(named))]);
  };
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.concat([u32(width), u32(height), bytes(8, 2, 0, 0, 0)])),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', bytes()),
  ]);
}
