// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Me } from '#shared/users/users.ts'
import { inApp } from '#web/users/test-app.tsx'
import { EntryScreen } from './entry-screen.tsx'

test.each([
  ['password', 'A senha que você recebeu foi criada por outra pessoa. Escolha uma que só você conheça.'],
  ['printed_password', 'Troque a senha que apareceu no terminal. Escolha uma que só você conheça.'],
] as const)('who must choose a password is told where the one of before came from (%s)', (pending, words) => {
  const me = { name: 'Dona Ivone', username: 'ivone' } as Me
  render(<EntryScreen me={me} pending={pending} onClose={() => undefined} />, {
    wrapper: inApp(new QueryClient()),
  })
  expect(screen.getByRole('heading').textContent).toBe('Escolha sua senha')
  screen.getByText(words)
})
