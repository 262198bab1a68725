// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Account } from '#shared/users/accounts.ts'
import type { Role } from '#shared/permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import type { Scope } from '#shared/users/scope.ts'
import { FlagList } from './flag-list.tsx'
import { ViewAs } from './view-as.tsx'

const flags = defaultFlags('operator')

test.each<[Scope, string, string]>([
  ['all', 'A fila e os atendimentos abertos de todos', 'As conversas finalizadas de todos'],
  ['sector', 'As abertas dos seus setores, e as próprias', 'As finalizadas dos seus setores, e as próprias'],
  [
    'own',
    'As próprias abertas, e quem espera nas filas dos seus setores',
    'As finalizadas que já teve ou em que escreveu',
  ],
])('the flags say what they are for with the scope %s', (scope, open, finished) => {
  const role: Role = 'operator'
  render(<FlagList role={role} flags={flags} scope={scope} onChange={() => undefined} />)
  screen.getByRole('switch', { name: `Ver conversas ${open}` })
  screen.getByRole('switch', { name: `Ver arquivadas ${finished}` })
})

test('the screens of somebody tell of their scope and of hidden telephones where they are not usual', () => {
  const account = { role: 'operator', isActive: true, isBlocked: false } as Account
  const permission = {
    userId: 3,
    createdAt: null,
    flags,
    scope: 'all',
    hidesPhones: false,
    isLead: false,
  } as const
  const { rerender } = render(<ViewAs account={account} permission={permission} />)
  const summary = screen.getByText((_text, one) => one?.matches('p[aria-live]') ?? false)
  expect(summary.textContent).toMatch(/telas$/)
  rerender(<ViewAs account={account} permission={{ ...permission, scope: 'own', hidesPhones: true }} />)
  expect(summary.textContent).toMatch(/telas · conversas que vê: Próprias · telefones ocultos$/)
})

test('somebody who leads a sector has the screen of the sectors without the flag', () => {
  const account = { role: 'operator', isActive: true, isBlocked: false } as Account
  const permission = { userId: 3, createdAt: null, flags, scope: 'sector', hidesPhones: false } as const
  const said = (isLead: boolean) => {
    const { unmount } = render(<ViewAs account={account} permission={{ ...permission, isLead }} />)
    const text = screen.getByRole('region', { name: 'Setores' }).textContent
    unmount()
    return /^Setores(No menu|Acesso negado)/.exec(text)?.[1]
  }
  expect([said(true), said(false)]).toEqual(['No menu', 'Acesso negado'])
})

test('a screen that a flag puts in the menu is said to be there for who has that flag alone', () => {
  const account = { role: 'supervisor', isActive: true, isBlocked: false } as Account
  const show = (canManageSectors: boolean) => {
    const given = { ...defaultFlags('supervisor'), canManageSectors }
    const permission = {
      userId: 3,
      createdAt: null,
      flags: given,
      scope: 'all',
      hidesPhones: false,
      isLead: false,
    } as const
    const { container, unmount } = render(<ViewAs account={account} permission={permission} />)
    const heading = [...container.querySelectorAll('section')].find((one) =>
      one.textContent.startsWith('Setores'),
    )
    const said = /No menu, acesso negado|No menu|Acesso negado/.exec(heading?.textContent ?? '')?.[0]
    unmount()
    return said
  }
  expect([show(true), show(false)]).toEqual(['No menu', 'Acesso negado'])
})
