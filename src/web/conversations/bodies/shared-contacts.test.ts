import { expect, test } from 'vitest'
import { mailAddress, phoneOf, sharedContacts } from './shared-contacts.ts'

test.each([
  [{ number: '+55 11 97012-8834', waId: '5511970128834' }, '(11) 97012-8834', 'tel:+5511970128834'],
  // WhatsApp leaves the ninth digit out of many numbers.
  [{ number: '85 8888-7777', waId: '558588887777' }, '(85) 98888-7777', 'tel:+5585988887777'],
  [{ number: '(11) 3456-7890' }, '(11) 3456-7890', 'tel:+551134567890'],
  [{ number: '11987654321' }, '(11) 98765-4321', 'tel:+5511987654321'],
  [{ number: '+1 (415) 555-2671', waId: '14155552671' }, '+1 (415) 555-2671', 'tel:+14155552671'],
  [{ number: '+1 (415) 555-2671' }, '+1 (415) 555-2671', 'tel:+14155552671'],
  [{ number: '', waId: '351912345678' }, '+351912345678', 'tel:+351912345678'],
  [{ number: '3000-1234' }, '3000-1234', undefined],
  [{ number: '190' }, '190', undefined],
  [{ number: 'ramal 12' }, 'ramal 12', undefined],
])('the number of a shared contact is read from %j', (phone, shown, href) => {
  expect(phoneOf(phone)).toEqual({ shown, href })
})

test.each([
  ['ana.b+loja@exemplo.com.br', 'mailto:ana.b+loja@exemplo.com.br'],
  ['a@b.c?cc=todos@b.c', undefined],
  ['a@b.c,d@e.f', undefined],
  ['ana', undefined],
])('the mail address of a shared contact is read from %s', (email, href) => {
  expect(mailAddress(email)).toBe(href)
})

const written = (content: string) => sharedContacts({ metadata: {}, content })

test('a card may be written in lines, or several of them under their count', () => {
  const zefa = { name: 'Zefa', phones: [{ number: '(11) 98765-4321' }], organization: 'Feira: banca 3' }
  const raul = { name: 'Raul', phones: [], email: 'raul@exemplo.com.br', url: 'https://exemplo.com.br' }
  const [one, other] = [
    'Nome: Zefa\nTelefone: (11) 98765-4321\nOrganização: Feira: banca 3',
    'Nome completo: Raul\nE-mail: raul@exemplo.com.br\nURL: https://exemplo.com.br',
  ]
  expect(written(one)).toEqual([zefa])
  expect(written(`2 contatos\n${one}\n\n${other}`)).toEqual([zefa, raul])
})

test('what is no card has none', () => {
  for (const content of [
    '',
    'oi',
    'Olá: tudo bem?',
    '2 contatos',
    '{',
    '{}',
    '[]',
    'Telefone:',
    '__proto__: x',
  ])
    expect(written(content)).toEqual([])
})
