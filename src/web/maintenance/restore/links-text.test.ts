import { expect, test } from 'vitest'
import { linksText } from './links-text.ts'

test.each([
  [
    { table: 'companies', back: 3, left: 2 },
    true,
    'Empresas que voltam: 3 contatos voltam a ter a sua e 2 contatos ficam como estão, ' +
      'pois mudaram desde o backup.',
  ],
  [
    { table: 'contact_categories', back: 1, left: 0 },
    true,
    'Categorias que voltam: 1 contato volta a ter a sua.',
  ],
  [
    { table: 'contact_categories', back: 0, left: 1 },
    true,
    'Categorias que voltam: 1 contato fica como está, pois mudou desde o backup.',
  ],
  [
    { table: 'companies', back: 0, left: 1200 },
    false,
    'Empresas que chegam: 1.200 contatos daqui ficam como estão.',
  ],
] as const)('the links %o of a backup that is own (%s) are told in words', (links, isOwn, text) => {
  expect(linksText(links, isOwn)).toBe(text)
})
