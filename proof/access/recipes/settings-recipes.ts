import { sql } from 'drizzle-orm'
import { hintOf } from '#server/gateway/instances/setup.ts'
import { makeFiles, picture } from '../world/messages.ts'
import { changing, type Recipes } from '../recipe.ts'
import type { World } from '../world/world.ts'
import { recordedAndPushed } from './owned.ts'
import { always, each, formOf, once } from './targets.ts'

const everybody = ['admin', 'supervisor', 'operator'] as const

const hasKey = (name: string) => (body: unknown) => typeof body === 'object' && body !== null && name in body

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
  once(async ({ at }) => ({
    path: `/api/evolution-config/${at.instanceId}/${act}`,
    ...(body && { body }),
  }))

const ofNumber = ({ at }: World, instanceName: string) => ({
  instanceName,
  apiKey: at.simulator.apiKey,
  baseUrl: at.simulator.url,
  isActive: false,
})

const ofAgent = {
  agentId: 'agt_1',
  agentName: 'Aurora',
  apiToken: '',
  isActive: false,
  autoResponse: false,
  autoResponseDelay: 2000,
  fallbackToHuman: true,
  maxRetries: 3,
  helpBaseUrl: '',
  helpModel: '',
  helpKey: '',
  canSummarize: false,
  canSuggest: false,
}

/** What changes with the settings. */
const settings =
  `${recordedAndPushed} system_settings.updated_at system_settings.values ` + 'system_settings.version'

/** The calls about settings and about the gateway. */
export const settingsRecipes = {
  'GET /api/system-settings (projection)': [
    { what: 'what everybody needs', status: 200, targets: always('/api/system-settings') },
  ],
  'GET /api/system-settings (full)': [
    {
      what: 'all of them',
      status: 200,
      part: hasKey('finalizationMessage'),
      targets: always('/api/system-settings'),
    },
  ],
  'PATCH /api/system-settings': changing(
    [
      {
        what: 'a text',
        status: 200,
        targets: always('/api/system-settings', { finalizationMessage: 'Até logo' }),
      },
    ],
    settings,
  ),
  'GET /api/media-settings': [
    { what: 'what an upload needs', status: 200, targets: always('/api/media-settings') },
    {
      // D12: where files are stored only with this flag.
      what: 'the places',
      status: 200,
      needs: { ceiling: [...everybody], flags: [['canViewSettings']] },
      part: hasKey('uploadDirectory'),
      targets: always('/api/media-settings'),
    },
  ],
  'PUT /api/media-settings': changing(
    [
      {
        what: 'the text',
        status: 200,
        targets: always('/api/media-settings', { blockedFileMessage: 'Protegido' }),
      },
    ],
    settings,
  ),
  'POST /api/quick-responses/file': changing(
    [
      {
        what: 'a picture',
        status: 201,
        targets: async (_world, callers) =>
          callers.map(() => ({ path: '/api/quick-responses/file', form: formOf({}, picture) })),
      },
    ],
    '+files',
  ),
  'GET /api/quick-responses/files/{name}': [
    {
      what: 'one that the settings name',
      status: 200,
      targets: once(async (world) => {
        const [name] = await makeFiles(world, [{ isQuickResponse: true }])
        const file = { name, fileName: 'foto.png', mimeType: 'image/png', sizeBytes: picture.length }
        const response = { shortcut: 'prova', text: 'Veja', file }
        await world.database.execute(
          sql`update system_settings set values = values
                || jsonb_build_object('quickResponses', ${JSON.stringify([response])}::jsonb)`,
        )
        return { path: `/api/quick-responses/files/${name}` }
      }),
    },
  ],
  'GET /api/gpt-maker-config': [{ what: 'the agent', status: 200, targets: always('/api/gpt-maker-config') }],
  'PUT /api/gpt-maker-config': changing(
    [{ what: 'its name', status: 200, targets: always('/api/gpt-maker-config', ofAgent) }],
    recordedAndPushed,
    '+gpt_maker_config gpt_maker_config.agent_id gpt_maker_config.agent_name gpt_maker_config.updated_at',
  ),
  'POST /api/gpt-maker-config/test': changing(
    [
      {
        // A test that fails is answered, too.
        what: 'an agent that is not there',
        status: 200,
        targets: always('/api/gpt-maker-config/test', {
          what: 'agent',
          agentId: 'agt_1',
          apiToken: 'token-of-nobody',
          question: '',
        }),
      },
    ],
    '+audit_logs',
  ),
  'GET /api/evolution-config': [
    { what: 'the number', status: 200, targets: always('/api/evolution-config') },
  ],
  'GET /api/evolution-config/status': [
    { what: 'the number', status: 200, targets: always('/api/evolution-config/status') },
  ],
  'POST /api/evolution-config': changing(
    [
      {
        what: 'another number',
        status: 201,
        targets: each(
          async (world, callers) => callers.map(() => `nova-${world.next()}`),
          (name, _caller, world) => ({ path: '/api/evolution-config', body: ofNumber(world, name) }),
        ),
      },
    ],
    recordedAndPushed,
    '+evolution_api_config evolution_api_config.status',
  ),
  'PUT /api/evolution-config/{id}': changing(
    [
      {
        what: 'another number',
        status: 200,
        targets: each(makeNumbers, ({ id, name }, _caller, world) => ({
          path: `/api/evolution-config/${id}`,
          body: ofNumber(world, name),
        })),
      },
    ],
    recordedAndPushed,
    'evolution_api_config.api_key_encrypted evolution_api_config.status evolution_api_config.updated_at',
  ),
  'GET /api/evolution-config/numbers': [
    { what: 'all numbers', status: 200, targets: always('/api/evolution-config/numbers') },
  ],
  'GET /api/numbers': [{ what: 'those of the person', status: 200, targets: always('/api/numbers') }],
  'PUT /api/evolution-config/{id}/settings': changing(
    [
      {
        what: 'another number',
        status: 200,
        targets: each(makeNumbers, ({ id }) => ({
          path: `/api/evolution-config/${id}/settings`,
          body: { finalizationMessage: 'Até logo' },
        })),
      },
    ],
    recordedAndPushed,
    'evolution_api_config.own_settings evolution_api_config.updated_at',
  ),
  'DELETE /api/evolution-config/{id}': changing(
    [
      {
        what: 'another number',
        status: 204,
        targets: each(makeNumbers, ({ id }) => ({ path: `/api/evolution-config/${id}` })),
      },
    ],
    recordedAndPushed,
    'evolution_api_config.deleted_at evolution_api_config.is_active evolution_api_config.own_settings',
    'evolution_api_config.api_key_encrypted evolution_api_config.api_key_hint',
    'evolution_api_config.updated_at',
  ),
  'POST /api/evolution-config/test': changing(
    [
      {
        what: 'the gateway',
        status: 200,
        targets: once(async ({ at }) => ({
          path: '/api/evolution-config/test',
          body: { baseUrl: at.simulator.url, apiKey: at.simulator.apiKey },
        })),
      },
    ],
    '+audit_logs',
  ),
  'POST /api/evolution-config/setup-webhook': changing(
    [{ what: 'the number', status: 200, targets: always('/api/evolution-config/setup-webhook') }],
    '+audit_logs evolution_api_config.instance_token_encrypted evolution_api_config.updated_at',
    'evolution_api_config.webhook_secret_before_encrypted',
    'evolution_api_config.webhook_secret_encrypted',
    'evolution_api_config.webhook_secret_pending_encrypted evolution_api_config.webhook_set_at',
  ),
  'GET /api/evolution-config/{id}/link': [
    {
      what: 'the number',
      status: 200,
      targets: once(async ({ at }) => ({ path: `/api/evolution-config/${at.instanceId}/link` })),
    },
  ],
  'POST /api/evolution-config/{id}/connect': changing(
    [{ what: 'a number that is connected', status: 200, targets: ofMainNumber('connect', {}) }],
    '+audit_logs',
  ),
  'POST /api/evolution-config/{id}/restart': changing(
    [{ what: 'the number', status: 200, targets: ofMainNumber('restart') }],
    recordedAndPushed,
    '+webhook_inbox webhook_inbox.processed_at',
  ),
  'POST /api/evolution-config/{id}/logout': changing(
    [
      {
        what: 'another number',
        status: 200,
        targets: each(makeInstances, ({ id }) => ({ path: `/api/evolution-config/${id}/logout` })),
      },
    ],
    recordedAndPushed,
    'evolution_api_config.closed_at evolution_api_config.closed_reason evolution_api_config.status',
  ),
  'POST /api/evolution-config/{id}/webhook': changing(
    [{ what: 'the number', status: 200, targets: ofMainNumber('webhook') }],
    '+audit_logs +webhook_inbox webhook_inbox.processed_at evolution_api_config.instance_token_encrypted',
    'evolution_api_config.updated_at evolution_api_config.webhook_secret_before_encrypted',
    'evolution_api_config.webhook_secret_encrypted',
    'evolution_api_config.webhook_secret_pending_encrypted evolution_api_config.webhook_set_at',
  ),
  'POST /api/doctor': changing(
    [{ what: 'the installation', status: 200, targets: always('/api/doctor') }],
    // A webhook that is ours to set is set.
    '+audit_logs +webhook_inbox webhook_inbox.processed_at evolution_api_config.instance_token_encrypted',
    'evolution_api_config.updated_at evolution_api_config.webhook_secret_before_encrypted',
    'evolution_api_config.webhook_secret_encrypted',
    'evolution_api_config.webhook_secret_pending_encrypted evolution_api_config.webhook_set_at',
  ),
  'GET /api/first-steps': [
    { what: 'those of the installation', status: 200, targets: always('/api/first-steps') },
  ],
  'POST /api/first-steps/skip': changing(
    [{ what: 'the team', status: 200, targets: always('/api/first-steps/skip', { step: 'team' }) }],
    '+first_steps first_steps.is_team_skipped',
  ),
} satisfies Recipes
