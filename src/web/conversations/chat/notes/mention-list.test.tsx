// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useListbox } from '#web/ui/fields/use-listbox.ts'
import { inApp } from '#web/users/test-app.tsx'
import { findMentionable } from './find-mentionable.ts'
import { MentionList } from './mention-list.tsx'

const team = {
  people: [
    { id: 2, name: 'Bruno Tavares', pictureUrl: null, presence: 'online', isReader: true },
    { id: 3, name: 'Carla Menezes', pictureUrl: null, presence: 'online', isReader: false },
  ],
  sectors: [{ id: 1, name: 'Comercial', color: '#0d9488', available: 0 }],
} as const

function List() {
  const options = findMentionable({ people: [...team.people], sectors: [...team.sectors] }, '')
  const listbox = useListbox({ count: 2, scope: '', stepFor: () => undefined, onChoose: () => undefined })
  return <MentionList options={options} listbox={listbox} state={undefined} />
}

test('the menu of mentions says what can be typed, and who is there of those who can be told', () => {
  render(<List />, { wrapper: inApp(new QueryClient()) })
  screen.getByText('Mencionar @nome ou @setor')
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'BTBruno TavaresOnline',
    'Comercialninguém disponível agora',
    'Carla Menezesnão vê esta conversa',
  ])
})
