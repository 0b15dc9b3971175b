import { z } from 'zod';
import { Id } from './values.ts';

/** The most products whose images one request lists. */
export const IMAGES_MAX = 100;

export const ProductIds = z
  .string()
  .refine((value) => /^\d{1,15}(,\d{1,15})*$/.test(value) && value.split(',').length <= IMAGES_MAX, {
    message: `must be 1 to ${IMAGES_MAX} ids, with commas between them`,
    params: { code: 'invalid_value' },
  })
  .transform((value) => [...new Set(value.split(',').map(Number))])
  .meta({ description: `Ids of products with commas between them, such as \`4,17\`; at most ${IMAGES_MAX}` });

export const ProductImage = z
  .object({
    product_id: Id,
    media_id: Id,
    url: z.string().meta({ description: 'Path of the image on this server; it can be fetched without a token' }),
    size_bytes: z.int(),
  })
  .meta({ id: 'ProductImage' });
export type ProductImage = z.infer<typeof ProductImage>;
