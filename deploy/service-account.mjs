import { readFileSync } from 'node:fs'

// For balcao-admin, loaded before the command: what the unit gives the service besides /etc/balcao.env.

process.env['DATA_DIR'] ||= '/var/lib/balcao'

const account = process.env['BALCAO_ACCOUNT'] || 'balcao'
const isThere = readFileSync('/etc/passwd', 'utf8').includes(`\n${account}:`)
// Run by root, files that the command makes would not be the service's.
if (process.getuid?.() === 0 && isThere) {
  process.initgroups?.(account, account)
  process.setgid?.(account)
  process.setuid?.(account)
}
