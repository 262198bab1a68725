import { plainWho } from '#server/testing/plain-who.ts'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#shared/endpoint.ts'
import permissionTable from '#shared/permissions.json' with { type: 'json' }
import { flags, type Flags, type Requirement, type Role, roles } from '#shared/permissions.ts'
import {
  checkAgainstPermissionTable,
  checkPermissionTableIsServed,
  defaultFlags,
  isPermitted,
  type PermissionRow,
  permit,
  type Who,
} from './access.ts'

const permissionRows = permissionTable.endpoints as PermissionRow[]
const notBuilt = new Set<string>(permissionTable.notBuiltYet)
const built = permissionRows.map((row) => row.id).filter((id) => !notBuilt.has(id))

/** The endpoint of a row, as shared/ declares it. */
const callOf = (row: PermissionRow, more: Partial<Endpoint> = {}): Endpoint => ({
  method: row.method as Endpoint['method'],
  path: row.path.replace(/\{(\w+)\}/g, ':$1') as Endpoint['path'],
  summary: '',
  rows: [row.id],
  ...more,
})
const rowNamed = (id: string): PermissionRow => {
  const row = permissionRows.find((one) => one.id === id)
  if (!row) throw new Error(`no row ${id}`)
  return row
}
const httpRows = permissionRows.filter(
  (row) => /^(GET|POST|PUT|PATCH|DELETE)$/.test(row.method) && !row.public,
)
const guarded = httpRows.filter((row) => row.flags.length > 0)

describe('a route and the permission table', () => {
  test.each(httpRows.map((row) => [row.id, row] as const))(
    '%s with its own flags is accepted',
    (_id, row) => {
      expect(() => checkAgainstPermissionTable(callOf(row), row.flags as Requirement)).not.toThrow()
    },
  )

  test.each(guarded.map((row) => [row.id, row] as const))(
    '%s with any flag less stops the start',
    (id, row) => {
      expect(() => checkAgainstPermissionTable(callOf(row), [])).toThrow(id)
      for (const index of row.flags.keys()) {
        expect(() =>
          checkAgainstPermissionTable(callOf(row), row.flags.toSpliced(index, 1) as Requirement),
        ).toThrow(id)
        // One more flag in a group of alternatives also weakens the requirement.
        const wider = row.flags.with(index, [...(row.flags[index] ?? []), 'canViewContacts'])
        expect(() => checkAgainstPermissionTable(callOf(row), wider as Requirement)).toThrow(id)
      }
    },
  )

  test.each(httpRows.map((row) => [row.id, row] as const))(
    '%s open to everybody stops the start',
    (id, row) => {
      expect(() => checkAgainstPermissionTable(callOf(row), 'public')).toThrow(id)
    },
  )

  test('a public call that asks for flags stops the start', () => {
    expect(() =>
      checkAgainstPermissionTable(callOf(rowNamed('POST /api/auth/login')), ['canViewContacts']),
    ).toThrow('public')
    expect(() =>
      checkAgainstPermissionTable(callOf(rowNamed('POST /api/auth/login')), 'public'),
    ).not.toThrow()
  })

  test('a route without a row stops the start', () => {
    const row = rowNamed('GET /api/auth/me')
    expect(() => checkAgainstPermissionTable(callOf(row, { rows: ['GET /api/novo'] }), [])).toThrow(
      'GET /api/novo',
    )
  })

  test('a route under the row of another one stops the start', () => {
    const row = rowNamed('GET /api/auth/me')
    expect(() => checkAgainstPermissionTable(callOf(row, { path: '/api/users' }), [])).toThrow(
      'GET /api/auth/me',
    )
    expect(() => checkAgainstPermissionTable(callOf(row, { method: 'POST' }), [])).toThrow('GET /api/auth/me')
  })

  test('a call of several rows needs the flags of each', () => {
    const [open, completed] = ['GET /api/conversations/{open}', 'GET /api/conversations/{completed}'] as const
    const call = callOf(rowNamed(open), { path: '/api/conversations/:id', rows: [open, completed] })
    const access = {
      [open]: ['canViewConversations'],
      [completed]: ['canViewConversations', 'canViewArchivedConversations'],
    } as const
    expect(() => checkAgainstPermissionTable(call, access)).not.toThrow()
    expect(() => checkAgainstPermissionTable(call, { [open]: access[open] })).toThrow(completed)
    expect(() =>
      checkAgainstPermissionTable(call, { ...access, [completed]: ['canViewConversations'] }),
    ).toThrow(completed)
    expect(() => checkAgainstPermissionTable(call, ['canViewConversations'])).toThrow(completed)
  })
})

describe('the whole permission table', () => {
  test('is served by what is built', () => {
    expect(() => checkPermissionTableIsServed(new Set(built))).not.toThrow()
  })

  test.each(built)('without a route for %s the start stops', (id) => {
    expect(() => checkPermissionTableIsServed(new Set(built.filter((one) => one !== id)))).toThrow(id)
  })

  test('what is built and still listed as not built stops the start', () => {
    const [first] = notBuilt
    if (first) expect(() => checkPermissionTableIsServed(new Set([...built, first]))).toThrow(first)
  })

  test('its rows have names of their own, known flags and known roles', () => {
    expect(new Set(permissionRows.map((row) => row.id)).size).toBe(permissionRows.length)
    for (const row of permissionRows) {
      expect(row.ceiling.filter((role) => !(roles as readonly string[]).includes(role))).toEqual([])
      expect(row.flags.flat().filter((flag) => !(flags as readonly string[]).includes(flag))).toEqual([])
    }
    expect([...notBuilt].filter((id) => !permissionRows.some((row) => row.id === id))).toEqual([])
  })
})

const every = (value: boolean) => Object.fromEntries(flags.map((flag) => [flag, value])) as Flags
const who = (role: Role, granted: Flags): Who => ({
  id: 1,
  name: '',
  username: '',
  email: '',
  role,
  flags: granted,
  ...plainWho,
  sessionId: 1,
  source: { address: null, device: null },
})

describe('a person and a row', () => {
  test.each(permissionRows.filter((row) => !row.public).map((row) => [row.id, row] as const))(
    '%s: the ceiling, and every flag of it by itself',
    (id, row) => {
      for (const role of roles) {
        const isUnder = row.ceiling.includes(role)
        expect(isPermitted(who(role, every(true)), id)).toBe(isUnder)
        expect(isPermitted(who(role, every(false)), id)).toBe(isUnder && row.flags.length === 0)
        for (const flag of flags) {
          const without = { ...every(true), [flag]: false }
          const isNeeded = row.flags.some((group) => group.length === 1 && group[0] === flag)
          expect(isPermitted(who(role, without), id)).toBe(isUnder && !isNeeded)
        }
      }
    },
  )

  test('a row that nobody wrote permits nobody', () => {
    for (const id of ['GET /api/novo', '', '__proto__', 'constructor']) {
      expect(isPermitted(who('admin', every(true)), id)).toBe(false)
      expect(() => permit(who('admin', every(true)), id)).toThrow('Você não tem permissão')
    }
  })
})

describe('the defaults of a role', () => {
  test.each(['supervisor', 'operator'] as const)('of a %s name all 34 flags', (role) => {
    expect(Object.keys(defaultFlags(role)).toSorted()).toEqual([...flags].toSorted())
    expect(flags).toHaveLength(34)
  })
})
