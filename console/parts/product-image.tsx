import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { firstImage } from './product-images.ts';
import './product-image.css';
import { useMay } from './shop.ts';

/** The shop has images as they were uploaded; one larger than this is too heavy for so small a place. */
const BYTES_MAX = 1024 * 1024;

type Props = {
  id: number;
  /** Whether the product is known to have no image. */
  isBare?: boolean;
  isSmall?: boolean;
};

/** A small picture of a product beside its name, which says what it is. Its place is there before it, so that nothing moves. */
export function ProductImage({ id, isBare = false, isSmall = false }: Props) {
  const mayRead = useMay()('admin_api.products.read');
  const image = useQuery({ ...firstImage(id), enabled: mayRead && !isBare });
  const [broken, setBroken] = useState<string | null>(null);
  if (!mayRead) return null;
  const shown = image.data && image.data.size_bytes <= BYTES_MAX && image.data.url !== broken ? image.data.url : null;
  return (
    <span className={isSmall ? 'product-image small' : 'product-image'}>
      {shown === null ? <Icon name="media" /> : <img src={shown} alt="" loading="lazy" decoding="async" onError={() => setBroken(shown)} />}
    </span>
  );
}
