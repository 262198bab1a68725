/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/notifications': 'Menções e avisos',
}
