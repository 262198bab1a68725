import { describe, expect, test } from 'vitest'
import { chooseAccount, parsePasswd } from './account.ts'
import { describeHolder } from './lock/lock.ts'
import { parsePidFile } from './lock/pid-file.ts'
import { identFile, serverArguments } from './settings.ts'
import { socketFolderFor } from './data-dir.ts'

describe('the account for root', () => {
  const line = (name: string, uid: number) => ({ name, uid, gid: uid })
  const all = [line('root', 0), line('nobody', 65_534), line('postgres', 101), line('balcao', 999)]

  test('the account for root is our own, else postgres, else nobody, never one with root’s number', () => {
    expect(chooseAccount(all, 'balcao', undefined)?.name).toBe('balcao')
    expect(chooseAccount(all.slice(0, 3), 'balcao', undefined)?.name).toBe('postgres')
    expect(chooseAccount(all.slice(0, 2), 'balcao', undefined)?.name).toBe('nobody')
    expect(chooseAccount([line('root', 0), line('balcao', 0)], 'balcao', undefined)).toBeUndefined()
  })

  test('the account for root is the owner of an existing database, whoever that is', () => {
    expect(chooseAccount(all, 'balcao', 65_534)?.name).toBe('nobody')
    expect(chooseAccount(all, 'balcao', 4242)).toBeUndefined()
  })

  test('the account for root comes from lines that are accounts', () => {
    expect(parsePasswd('# x\n\nana:x:1000:1001:Ana,,,:/home/ana:/bin/sh\n+::::\n')).toEqual([
      { name: 'ana', uid: 1000, gid: 1001 },
    ])
  })
})

test('a pid file gives the pid and the socket’s folder when it has them', () => {
  expect(parsePidFile('123\n/data\n17\n5432\n/a b/run\n\n')).toEqual({ pid: 123, socketFolder: '/a b/run' })
  expect(parsePidFile('-123\n')).toEqual({ pid: 123 })
  expect(parsePidFile('12x\n/data')).toEqual({})
  expect(parsePidFile('')).toEqual({})
})

test('a socket folder with commas and quotes is one item of the server’s list', () => {
  const flags = serverArguments({ dataFolder: '/d', socketFolder: '/a, "b"/run', isDurable: true })
  expect(flags).toContain('unix_socket_directories="/a, ""b""/run"')
})

test('a long wait of the WAL writer never meets asynchronous commits', () => {
  const flags = (isDurable: boolean) => serverArguments({ dataFolder: '/d', socketFolder: '/r', isDurable })
  expect(flags(true)).toEqual(expect.arrayContaining(['fsync=on', 'wal_writer_delay=10s']))
  expect(flags(false)).toContain('synchronous_commit=off')
  expect(flags(false)).not.toContain('wal_writer_delay=10s')
})

test('only the program’s own user is let in, as one of our roles', () => {
  expect(identFile('balcao', 'an"a', ['postgres', 'balcao'])).toBe(
    'balcao "an""a" "postgres"\nbalcao "an""a" "balcao"\n',
  )
})

test('a socket stays in its home up to 100 bytes, counted in bytes', () => {
  const home = (letter: string, count: number) => `/${letter.repeat(count)}`
  const rest = '/run/.s.PGSQL.5432'.length + 1
  expect(socketFolderFor(home('a', 100 - rest), 'balcao')).toBe(`${home('a', 100 - rest)}/run`)
  expect(socketFolderFor(home('a', 101 - rest), 'balcao')).toMatch(/\/balcao-[0-9a-f]{16}$/)
  expect(socketFolderFor(home('ã', 60), 'balcao')).toMatch(/\/balcao-[0-9a-f]{16}$/)
})

test('a lock holder is described by program, process and machine', () => {
  expect(describeHolder('balcao demo 42 maquina-1')).toBe('balcao demo, processo 42, máquina maquina-1')
  expect(describeHolder('psql')).toBe('psql')
  expect(describeHolder('')).toBe('outro programa')
})
