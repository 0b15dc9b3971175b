import type { ProductImage } from '../../contract/product-images.ts';
import { api } from '../api/client.ts';
import { queryOf } from './queries.ts';

/** So many products at most go into one request. */
const REQUEST_MAX = 100;
const MINUTE_MS = 60_000;

/** The first image of a product; null: it has none. What is asked for in one moment, such as by the rows of a list, is one request. */
export const firstImage = queryOf('products.list_images', readImage, { staleTime: MINUTE_MS });

type Images = ReadonlyMap<number, ProductImage>;

let next: { ids: Set<number>; answer: Promise<Images> } | null = null;

async function readImage(id: number): Promise<ProductImage | null> {
  if (next === null || next.ids.size === REQUEST_MAX) next = readTogether();
  next.ids.add(id);
  return (await next.answer).get(id) ?? null;
}

function readTogether(): { ids: Set<number>; answer: Promise<Images> } {
  const ids = new Set<number>();
  const begun = { ids, answer: Promise.resolve().then(send) };
  return begun;

  async function send(): Promise<Images> {
    if (next === begun) next = null;
    const images = await api.products.list_images({ ids: [...ids].join(',') });
    return new Map(images.map((image) => [image.product_id, image]));
  }
}
