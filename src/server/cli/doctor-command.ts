import type { Finding, FindingState } from '#shared/doctor/doctor.ts'
import { checkTitles } from '#shared/text/doctor/check-titles.ts'
import { record } from '#server/audit/audit.ts'
import { examine } from '#server/doctor/doctor.ts'
import { auditedUrl, createGateway, listConfigs } from '#server/gateway/gateway.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { createOutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { CommandError } from './command-error.ts'
import type { Terminal } from './terminal.ts'

const marks: Record<FindingState, string> = {
  ok: 'certo   ',
  mended: 'mudado  ',
  skipped: '-       ',
  warning: 'atenção ',
  fault: 'PROBLEMA',
}

/**
 * Examines the installation, whether or not its server runs, and prints what it has found.
 * @throws CommandError when something is at fault
 */
export async function runDoctor(
  database: Database,
  config: Config,
  { isJson, terminal }: { isJson: boolean; terminal: Terminal },
): Promise<void> {
  const secrets = openSecrets(config.secretKey, config.dataDir)
  const http = createOutgoingHttp([...config.gatewayAllowedHosts, ...(await simulatorsOf(database, config))])
  const { client } = createGateway(http, secrets)
  try {
    const examination = await examine({
      database,
      config,
      secrets,
      client,
      files: await createFileStore(config, { database }),
      ownUrl: config.publicUrl && `${config.publicUrl}/api/webhook/evolution`,
      async onWebhookSet({ id, instanceName }, url) {
        const details = { instanceName, url: auditedUrl(url) }
        await record(database, 'command', { action: 'gateway.webhook', resourceId: id, details })
      },
    })
    if (isJson) terminal.print(JSON.stringify(examination, null, 2))
    else for (const line of linesOf(examination.findings)) terminal.print(line)
    const faults = examination.findings.filter(({ state }) => state === 'fault').length
    if (faults > 0) throw new CommandError(faults === 1 ? '1 problema.' : `${faults} problemas.`)
  } finally {
    await http.close()
  }
}

/** The gateway of a demo is on this machine, and the server of the demo allows itself just that one. */
async function simulatorsOf(database: Database, config: Config): Promise<string[]> {
  if (!config.simulator) return []
  const hosts = (await listConfigs(database)).map(({ baseUrl }) =>
    URL.canParse(baseUrl) ? new URL(baseUrl).host : '',
  )
  return hosts.filter((host) => host.startsWith('127.0.0.1:'))
}

function* linesOf(findings: readonly Finding[]): Generator<string> {
  const titles = findings.map(({ check, instanceName }) =>
    instanceName === null ? checkTitles[check] : `${checkTitles[check]} (${instanceName})`,
  )
  const width = Math.max(...titles.map((title) => title.length))
  for (const [n, { state, text }] of findings.entries())
    yield `${marks[state]}  ${titles[n]?.padEnd(width)}  ${text}`
}
