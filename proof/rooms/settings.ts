import { sql } from 'drizzle-orm'
import { type MakeThings, neverName } from '../references/thing.ts'
import type { BroughtBy } from '../walk/writing.ts'
import { makeFiles, picture } from '../access/world/messages.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import { recordedAndPushed } from '../access/owned.ts'
import { formOf, hasKey, once, plain } from '../access/targets.ts'

const everybody = ['admin', 'supervisor', 'operator'] as const

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
  transcriptionBaseUrl: '',
  transcriptionModel: '',
  transcriptionKey: '',
  canTranscribe: false,
  transcribesAll: false,
  transcriptionMaxMinutes: 10,
  transcriptionDayMinutes: 120,
}

/** What changes with the settings. */
const settings =
  `${recordedAndPushed} system_settings.updated_at system_settings.values ` + 'system_settings.version'

/** The calls about settings and the AI. */
export const recipes = {
  'GET /api/system-settings (projection)': plain('what everybody needs'),
  'GET /api/system-settings (full)': { ...plain('all of them'), part: hasKey('finalizationMessage') },
  'PATCH /api/system-settings': changing(plain('a text', { finalizationMessage: 'Até logo' }), settings),
  'GET /api/media-settings': [
    plain('what an upload needs'),
    {
      // D12: where files are stored only with this flag.
      ...plain('the places'),
      needs: { ceiling: [...everybody], flags: [['canViewSettings']] },
      part: hasKey('uploadDirectory'),
    },
  ],
  'PUT /api/media-settings': changing(plain('the text', { blockedFileMessage: 'Protegido' }), settings),
  'POST /api/quick-responses/file': changing(
    {
      what: 'a picture',
      status: 201,
      targets: async (_world, callers) => callers.map(() => ({ form: formOf({}, picture) })),
    },
    '+files',
  ),
  'GET /api/quick-responses/files/{name}': {
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
      return { id: name }
    }),
  },
  'GET /api/gpt-maker-config': plain('the agent'),
  'PUT /api/gpt-maker-config': changing(
    plain('its name', ofAgent),
    recordedAndPushed,
    '+gpt_maker_config gpt_maker_config.agent_id gpt_maker_config.agent_name gpt_maker_config.updated_at',
  ),
  'POST /api/gpt-maker-config/test': changing(
    // A test that fails is answered, too.
    plain('an agent that is not there', {
      what: 'agent',
      agentId: 'agt_1',
      apiToken: 'token-of-nobody',
      question: '',
    }),
    '+audit_logs',
  ),
} satisfies Recipes

// After every act: a browser that has received this event has received all earlier ones.
export const broughtBy = {
  settings_changed: 'a reply',
} as const satisfies BroughtBy

export const things = {
  'quick response': async ({ world, pictures }) => {
    const [quick = ''] = await makeFiles(world, [{ isQuickResponse: true }])
    // The first one the settings do not name.
    return { foreign: quick, archived: pictures.foreign, deleted: pictures.deleted, never: neverName }
  },
} satisfies MakeThings
