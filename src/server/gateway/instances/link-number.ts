import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '#shared/errors.ts'
import { errorTexts } from '#shared/text/error-texts.ts'
import { readPhone } from '#shared/text/phones/read-phone.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import type { LinkAnswer } from '#server/gateway/evolution/client/linking.ts'
import type { Instance } from '#server/gateway/evolution/client/request.ts'
import { noteCode, noteLeft, noteLinking } from './links.ts'
import { type ConfigRow, findConfig, lockConfig } from './queries.ts'
import {
  checkConnection,
  installWebhook,
  instanceOf,
  noteConnection,
  throwUnreachable,
  withNewSecret,
} from './setup.ts'

/** What the acts on a number work with. */
export interface LinkContext {
  database: Database
  secrets: Secrets
  client: EvolutionClient
}

/** @throws AppError gateway.not_found, gateway.inactive */
export async function activeConfig(database: Database, id: number): Promise<ConfigRow> {
  const config = await findConfig(database, id)
  if (!config) throw new AppError('gateway.not_found')
  if (!config.isActive) throw new AppError('gateway.inactive')
  return config
}

/**
 * The digits for a pairing code of what somebody has typed; undefined for a QR code.
 * @throws AppError gateway.bad_number
 */
export function pairingNumber(typed: string | undefined): string | undefined {
  if (!typed) return undefined
  const read = readPhone(typed)
  if ('problem' in read)
    throw new AppError('gateway.bad_number', { fields: { number: errorTexts['gateway.bad_number'] } })
  return read.phone
}

/**
 * Begins to link a number to a phone. An instance that the gateway does not have is created, with our
 * webhook; one that it has gets our webhook, if that is not registered: the codes are renewed by it.
 * @param options.number the phone's digits, for a pairing code
 * @param options.url our webhook
 * @returns whether the instance was created
 * @throws AppError as the gateway client
 */
export async function linkNumber(
  context: LinkContext,
  config: ConfigRow,
  options: { number: string | undefined; url: string },
): Promise<{ isCreated: boolean }> {
  const { database, client, secrets } = context
  const { number, url } = options
  const instance = instanceOf(config, secrets)
  const known = await client.fetchInstances(instance).catch(throwUnreachable)
  if (!known.some(({ name }) => name === config.instanceName)) {
    await inTransaction(database, (db) => noteLinking(db, config.id))
    const created = await withNewSecret(database, secrets, config, (secret) =>
      client.createInstance(instance, { webhook: { url, secret }, number }).catch(throwUnreachable),
    )
    if (created) {
      await takeAnswer(context, config.id, created)
      return { isCreated: true }
    }
  }
  if (!config.webhookSetAt) await installWebhook(database, client, secrets, config, url)
  await connect(context, config, { instance, number })
  return { isCreated: false }
}

async function connect(
  context: LinkContext,
  config: ConfigRow,
  { instance, number }: { instance: Instance; number: string | undefined },
): Promise<void> {
  const { database, client } = context
  const state = await client.connectionState(instance)
  // A linking by QR code never gets a pairing code: it ends, and another one begins.
  if (state === 'connecting' && number !== undefined) await endLinking(context, config.id, instance)
  if (state !== 'open') await inTransaction(database, (db) => noteLinking(db, config.id))
  const answer = await client.connect(instance, number).catch(throwUnreachable)
  await takeAnswer(context, config.id, answer)
}

const closesWithinMs = 5000

/** Ends a linking, and waits until the gateway has. */
async function endLinking({ database, client }: LinkContext, id: number, instance: Instance): Promise<void> {
  await client.logOut(instance).catch(throwUnreachable)
  await inTransaction(database, (db) => noteLeft(db, id))
  const deadline = performance.now() + closesWithinMs
  while ((await client.connectionState(instance)) !== 'close' && performance.now() < deadline)
    await delay(200)
}

/** Records what the gateway has answered to asking for a code. */
async function takeAnswer({ database, secrets }: LinkContext, id: number, answer: LinkAnswer): Promise<void> {
  if (answer.code) await noteCode(database, secrets, id, answer.code)
  const status = answer.isOpen ? 'open' : 'connecting'
  // The scan of a code may have been reported meanwhile, or be just being recorded.
  await inTransaction(database, async (db) => {
    if (status === 'connecting' && (await lockConfig(db, id))?.status === 'open') return
    await noteConnection(db, id, { status })
  })
}

/** Opens the socket of a linked number again. @throws AppError gateway.not_linked; else as the client */
export async function restartNumber(
  { database, client, secrets }: LinkContext,
  config: ConfigRow,
): Promise<void> {
  if (!(await client.restart(instanceOf(config, secrets)).catch(throwUnreachable)))
    throw new AppError('gateway.not_linked')
  await checkConnection(database, client, secrets, config)
}

/** Ends the session of a number at WhatsApp. @throws AppError as the client */
export async function logOutNumber(
  { database, client, secrets }: LinkContext,
  config: ConfigRow,
): Promise<void> {
  await client.logOut(instanceOf(config, secrets)).catch(throwUnreachable)
  await inTransaction(database, (db) => noteLeft(db, config.id))
}

/** A code that no other has followed for so long is asked for: its webhook may not reach us. */
const codeStaleMs = 46_000
const linkingLastsMs = 1_800_000

/** Asks for the next code of the numbers that are being linked, where no webhook has brought it. */
export async function renewCodes(
  context: LinkContext,
  configs: readonly ConfigRow[],
  nowMs: number,
): Promise<void> {
  const { client, database, secrets } = context
  for (const config of configs) {
    const { linkingAt, codeAt, id } = config
    if (!linkingAt || nowMs - linkingAt.getTime() > linkingLastsMs) continue
    if (codeAt && nowMs - codeAt.getTime() < codeStaleMs) continue
    const instance = instanceOf(config, secrets)
    // Of a number that is closed it would begin another linking.
    if ((await client.connectionState(instance)) !== 'connecting') continue
    const answer = await client.connect(instance).catch(() => undefined)
    if (answer?.code) await noteCode(database, secrets, id, answer.code)
  }
}
