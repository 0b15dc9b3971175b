/** The kinds of images that a shop can show. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/gif,image/webp,image/avif';

/** The images among what is dropped or pasted. */
export const imagesIn = (data: DataTransfer | null): File[] => [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
