/** The images among what is dropped or pasted. */
export const imagesIn = (data: DataTransfer | null): File[] => [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
