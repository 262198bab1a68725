import { sql } from 'drizzle-orm'
import { inTransaction } from '#server/platform/database/db.ts'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { hintOf } from '#server/gateway/instances/setup.ts'
import { type MakeThings, insertedId, neverId } from '../references/thing.ts'
import type { Acts, BroughtBy } from '../walk/writing.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import type { World } from '../access/world/world.ts'
import { recordedAndPushed } from '../access/owned.ts'
import { makeSectors } from './sectors.ts'
import { each, once, plain } from '../access/targets.ts'

/** Further numbers at the gateway, which are switched off. */
async function makeNumbers(
  world: World,
  callers: readonly unknown[],
): Promise<{ id: number; name: string }[]> {
  const [app] = world.at.apps
  const { apiKey, url } = world.at.simulator
  const sealed = app?.secrets.encrypt(apiKey) ?? ''
  const made: { id: number; name: string }[] = []
  for (const _caller of callers) {
    const name = `loja-${world.next()}`
    const { rows } = await world.database.execute<{ id: number }>(
      sql`insert into evolution_api_config (instance_name, api_key_encrypted, api_key_hint, base_url,
            is_active)
          values (${name}, ${sealed}, ${hintOf(apiKey)}, ${url}, false) returning id`,
    )
    made.push({ id: rows[0]?.id ?? 0, name })
  }
  return made
}

/** Further numbers, and a sector for each. */
async function withSectors(world: World, callers: readonly unknown[]) {
  const made = await makeNumbers(world, callers)
  const sectors = await makeSectors(world, callers)
  return made.map((number, n) => ({ ...number, defaultSectorId: sectors[n] ?? null }))
}

/** Further numbers, which the gateway has, too. */
async function makeInstances(world: World, callers: readonly unknown[]) {
  const made = await makeNumbers(world, callers)
  const { apiKey, url } = world.at.simulator
  for (const { name } of made)
    await fetch(`${url}/instance/create`, {
      method: 'POST',
      headers: { apikey: apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ instanceName: name, integration: 'WHATSAPP-BAILEYS' }),
    })
  return made
}

/** An act on the number that all conversations are at, which stays connected. */
const ofMainNumber = (act: string, body?: Record<string, unknown>) =>
  once(async ({ at }) => ({ path: `/api/evolution-config/${at.instanceId}/${act}`, ...(body && { body }) }))

const ofNumber = ({ at }: World, instanceName: string) => ({
  instanceName,
  apiKey: at.simulator.apiKey,
  baseUrl: at.simulator.url,
  isActive: false,
})

/** The calls about the gateway and its numbers. */
export const recipes = {
  'GET /api/evolution-config': plain('the number'),
  'GET /api/evolution-config/status': plain('the number'),
  'POST /api/evolution-config': changing(
    {
      what: 'another number',
      status: 201,
      targets: each(
        async (world, callers) => callers.map(() => `nova-${world.next()}`),
        (name, _caller, world) => ({ body: ofNumber(world, name) }),
      ),
    },
    recordedAndPushed,
    '+evolution_api_config evolution_api_config.status',
  ),
  'PUT /api/evolution-config/{id}': changing(
    {
      what: 'another number',
      status: 200,
      targets: each(withSectors, ({ id, name, defaultSectorId }, _caller, world) => ({
        id,
        body: { ...ofNumber(world, name), defaultSectorId },
      })),
    },
    recordedAndPushed,
    'evolution_api_config.api_key_encrypted evolution_api_config.default_sector_id',
    'evolution_api_config.status evolution_api_config.updated_at',
  ),
  'GET /api/evolution-config/numbers': plain('all numbers'),
  'GET /api/numbers': plain('those of the person'),
  'PATCH /api/evolution-config/{id}/settings': changing(
    {
      what: 'another number',
      status: 200,
      targets: each(makeNumbers, ({ id }) => ({ id, body: { finalizationMessage: 'Até logo' } })),
    },
    recordedAndPushed,
    'evolution_api_config.own_settings evolution_api_config.own_version evolution_api_config.updated_at',
  ),
  'DELETE /api/evolution-config/{id}': changing(
    { what: 'another number', status: 204, targets: each(makeNumbers, ({ id }) => id) },
    recordedAndPushed,
    'evolution_api_config.deleted_at evolution_api_config.is_active evolution_api_config.own_settings',
    'evolution_api_config.api_key_encrypted evolution_api_config.api_key_hint',
    'evolution_api_config.updated_at',
  ),
  'POST /api/evolution-config/test': changing(
    {
      what: 'the gateway',
      status: 200,
      targets: once(async ({ at }) => ({ body: { baseUrl: at.simulator.url, apiKey: at.simulator.apiKey } })),
    },
    '+audit_logs',
  ),
  'POST /api/evolution-config/setup-webhook': changing(
    plain('the number'),
    '+audit_logs evolution_api_config.instance_token_encrypted evolution_api_config.updated_at',
    'evolution_api_config.webhook_secret_before_encrypted',
    'evolution_api_config.webhook_secret_encrypted',
    'evolution_api_config.webhook_secret_pending_encrypted evolution_api_config.webhook_set_at',
  ),
  'GET /api/evolution-config/{id}/link': {
    what: 'the number',
    status: 200,
    targets: once(async ({ at }) => at.instanceId),
  },
  'POST /api/evolution-config/{id}/connect': changing(
    { what: 'a number that is connected', status: 200, targets: ofMainNumber('connect', {}) },
    '+audit_logs',
  ),
  'POST /api/evolution-config/{id}/restart': changing(
    { what: 'the number', status: 200, targets: ofMainNumber('restart') },
    recordedAndPushed,
    '+webhook_inbox webhook_inbox.processed_at',
  ),
  'POST /api/evolution-config/{id}/logout': changing(
    { what: 'another number', status: 200, targets: each(makeInstances, ({ id }) => id) },
    recordedAndPushed,
    'evolution_api_config.closed_at evolution_api_config.closed_reason evolution_api_config.status',
  ),
  'POST /api/evolution-config/{id}/webhook': changing(
    { what: 'the number', status: 200, targets: ofMainNumber('webhook') },
    '+audit_logs +webhook_inbox webhook_inbox.processed_at evolution_api_config.instance_token_encrypted',
    'evolution_api_config.updated_at evolution_api_config.webhook_secret_before_encrypted',
    'evolution_api_config.webhook_secret_encrypted',
    'evolution_api_config.webhook_secret_pending_encrypted evolution_api_config.webhook_set_at',
  ),
  'POST /api/doctor': changing(
    plain('the installation'),
    // A webhook that is ours to set is set.
    '+audit_logs +webhook_inbox webhook_inbox.processed_at evolution_api_config.instance_token_encrypted',
    'evolution_api_config.updated_at evolution_api_config.webhook_secret_before_encrypted',
    'evolution_api_config.webhook_secret_encrypted',
    'evolution_api_config.webhook_secret_pending_encrypted evolution_api_config.webhook_set_at',
  ),
  'GET /api/evolution-config/set-aside': plain('those of the installation'),
  'POST /api/evolution-config/set-aside/retry': changing(
    plain('those of the installation'),
    '+audit_logs webhook_inbox.attempts webhook_inbox.dead_reason webhook_inbox.not_before',
    'webhook_inbox.processed_at',
  ),
  'GET /api/first-steps': plain('those of the installation'),
  'POST /api/first-steps/skip': changing(
    plain('the team', { step: 'team' }),
    '+first_steps first_steps.is_team_skipped',
  ),
} satisfies Recipes

export const acts = {
  'the number comes or goes': [
    2,
    async (world) => {
      const state = world.random() < 0.5 ? 'open' : 'close'
      await inTransaction(world.database, (db) =>
        handleGatewayEvent(db, world.otherNumberId, {
          kind: 'connection',
          state,
          ownerJid: undefined,
          profileName: undefined,
        }),
      )
    },
  ],
} satisfies Acts

export const broughtBy = {
  gateway_state: 'the number comes or goes',
} as const satisfies BroughtBy

export const things = {
  number: async ({ world }) => {
    const numberOf = (name: string) => sql`insert into evolution_api_config
      (instance_name, api_key_encrypted, api_key_hint, base_url, is_active)
      values (${name}, 'x', 'x', 'http://127.0.0.1:1', false) returning id`
    const number = await insertedId(world, numberOf('alheia'))
    const deleted = await insertedId(world, numberOf('excluida'))
    await world.database.execute(sql`delete from evolution_api_config where id = ${Number(deleted)}`)
    return { foreign: number, archived: number, deleted, never: neverId }
  },
} satisfies MakeThings
