// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Me } from '#shared/users/users.ts'
import { inApp } from '#web/users/test-app.tsx'
import { MeContext } from '#web/users/me-context.ts'
import { SettingsScreen } from './settings-screen.tsx'

test("the tab 'Usuário' is a summary of the profile, and leads to it", () => {
  const me = {
    id: 7,
    name: 'Ana Lima',
    username: 'ana',
    email: 'ana@empresa.com.br',
    role: 'operator',
    pictureUrl: null,
    permissions: {},
  } as Me
  render(
    <MeContext value={me}>
      <SettingsScreen />
    </MeContext>,
    { wrapper: inApp(new QueryClient()) },
  )
  for (const text of ['Ana Lima', 'ana', 'ana@empresa.com.br', 'Operador'])
    expect(screen.getByText(text)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Abrir meu perfil' }).getAttribute('href')).toBe('/perfil')
  expect(screen.queryByText(/Para mudar seu perfil, fale com/)).toBe(null)
})
