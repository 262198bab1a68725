import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '#server/testing/servers/free-port.ts'
import { read } from '../support/http.ts'
import { until } from '../support/waiting.ts'
import { makeFirstVersion } from '../upgrades/first-version.ts'
import { type Account, makeMachine, makeOpenFolder } from './machine.ts'

const first = {
  ADMIN_USERNAME: 'chefe',
  ADMIN_EMAIL: 'chefe@exemplo.com.br',
  ADMIN_PASSWORD: 'senha-do-chefe-1',
}

/**
 * An installation of version 0.1.0, with the embedded database, is started by this version, brought back by
 * `undo-upgrade`, and started by the old one again.
 */
export async function upgradeAndBack(
  home: string,
  account: Account,
  faults: string[],
  defer: (close: () => unknown) => void,
): Promise<void> {
  const old = makeFirstVersion()
  defer(() => old.remove())
  chmodSync(old.folder, 0o755)
  // Its first start prepares the pages, where the account of the service may not write.
  const elsewhere = makeOpenFolder('first')
  defer(elsewhere.remove)
  const once = await startOld(old.folder, { uid: 0, gid: 0 }, elsewhere.folder, defer)
  await once.stop()
  const machine = makeMachine(home, account, first, defer)
  const before = await startOld(old.folder, account, machine.state, defer)
  await signIn(before.url)
  await before.stop()

  const upgraded = await machine.start()
  await signIn(upgraded.url)
  const ending = await upgraded.stop()
  if (ending !== '0') faults.push(`the new version ended with ${ending}`)
  const copies = join(machine.state, 'upgrades')
  if (!existsSync(copies) || readdirSync(copies).length === 0) faults.push('the upgrade has made no copy')

  const shown = await machine.admin('undo-upgrade')
  if (!/--yes/.test(shown.said)) faults.push(`undo-upgrade: ${shown.code}, ${shown.said}`)
  const undone = await machine.admin('undo-upgrade', '--yes')
  if (undone.code !== 0) faults.push(`undo-upgrade --yes: ${undone.code}, ${undone.said}`)
  const again = await startOld(old.folder, account, machine.state, defer)
  await signIn(again.url)
  await again.stop()
}

const signIn = (url: string) =>
  read(`${url}/api/auth/login`, {
    method: 'POST',
    body: { username: first.ADMIN_USERNAME, password: first.ADMIN_PASSWORD },
  })

/** `npm start` of the old version, without npm between it and the signals. */
async function startOld(
  folder: string,
  { uid, gid }: Pick<Account, 'uid' | 'gid'>,
  state: string,
  defer: (close: () => unknown) => void,
): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    ['--disable-proto=delete', '--import', './scripts/right-node.mjs', 'src/server/main.ts'],
    {
      cwd: folder,
      uid,
      gid,
      env: { PATH: process.env['PATH'], ...first, DATA_DIR: state, PORT: String(port), LOG_LEVEL: 'error' },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  defer(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await until(
    'version 0.1.0 is ready',
    async () => {
      if (child.exitCode !== null) throw new Error(`version 0.1.0 ended with ${child.exitCode}`)
      return (await fetch(`${url}/readyz`).catch(() => undefined))?.status
    },
    (status) => status === 200,
    120_000,
  )
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}
