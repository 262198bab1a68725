import type { AuditAction } from '#shared/audit/audit-actions.ts'

/** What a successful call leaves in the audit log; or why nothing. */
export type Audited = AuditAction | { not: string }

const reading = { not: 'reads what the person may see in daily work' } as const
const listing = { not: 'lists without opening anything; the calls that open are recorded' } as const
const everyday = {
  not: 'everyday work with messages, their own record; the one that takes a conversation is recorded',
} as const
const ownState = { not: "the person's own reading position, draft or state" } as const
const tuning = { not: 'reads the configuration' } as const
const live = { not: 'pushes what the calls allow; a false identity is recorded as auth.other_user' } as const

/**
 * Every built row of permissions.json. A test names a row that is missing here, and makes every call of those
 * that are recorded.
 */
export const auditedCalls: Readonly<Record<string, Audited>> = {
  'POST /api/auth/login': 'auth.login',
  'GET /api/auth/me': reading,
  'POST /api/auth/logout': 'auth.logout',
  'POST /api/auth/reauthenticate': 'auth.confirm',
  'PUT /api/profile': 'user.profile',
  'PUT /api/profile/away': ownState,
  'POST /api/profile/password-strength': { not: 'rates a password and stores nothing' },
  'GET /api/profile/sessions': ownState,
  'DELETE /api/profile/sessions/{id}': 'user.end_sessions',
  'DELETE /api/profile/sessions': 'user.end_sessions',
  'PUT /api/profile/picture': 'user.picture',
  'DELETE /api/profile/picture': 'user.picture',
  'GET /api/profile-pictures/{name}': reading,
  'GET /api/profile/second-factor': ownState,
  'POST /api/profile/second-factor': {
    not: 'takes effect with the code that confirms it, which is recorded',
  },
  'PUT /api/profile/second-factor': 'user.second_factor_on',
  'DELETE /api/profile/second-factor': 'user.second_factor_off',
  'POST /api/profile/recovery-codes': 'user.recovery_codes',
  'GET /api/server-time': reading,

  'GET /api/conversations': listing,
  'GET /api/conversations/{open}': reading,
  'GET /api/conversations/{completed}': 'conversation.read',
  'GET /api/conversations/{open}/messages': reading,
  'GET /api/conversations/{completed}/messages': 'conversation.read',
  'GET /api/conversations/{open}/messages/{messageId}/details': reading,
  'GET /api/conversations/{completed}/messages/{messageId}/details': 'conversation.read',
  'GET /api/conversations/{open}/messages/search': reading,
  'GET /api/conversations/{completed}/messages/search': 'conversation.read',
  'GET /api/conversations/{open}/messages/{messageId}/versions': reading,
  'GET /api/conversations/{completed}/messages/{messageId}/versions': 'conversation.read',
  'POST /api/conversations/{id}/messages/{messageId}/forward (conversation)': everyday,
  'POST /api/conversations/{id}/messages/{messageId}/forward (contact)': 'conversation.start',
  'POST /api/conversations/{id}/messages': everyday,
  'POST /api/conversations/{id}/messages/{messageId}/retry': everyday,
  'PUT /api/conversations/{id}/messages/{messageId}/reaction': everyday,
  'POST /api/conversations/{id}/messages/{messageId}/undo': 'message.undo',
  'PUT /api/conversations/{id}/messages/{messageId}': 'message.edit',
  'DELETE /api/conversations/{id}/messages/{messageId}': 'message.delete',
  'GET /api/drafts': ownState,
  'PUT /api/conversations/{id}/draft': ownState,
  'POST /api/conversations/{id}/view': { not: 'recorded in the timeline, as view_tracking' },
  'GET /api/conversations/reads': ownState,
  'PUT /api/conversations/{id}/read': ownState,
  'DELETE /api/conversations/{id}/read': ownState,
  'PATCH /api/conversations/{id}/toggle-auto-close': 'conversation.auto_close',
  'PATCH /api/conversations/{id}/priority': 'conversation.priority',
  'POST /api/conversations/{id}/transfer': 'conversation.transfer',
  'POST /api/conversations/take-next': 'conversation.assign',
  'PATCH /api/conversations/{id}/assign-operator (self)': 'conversation.assign',
  'PATCH /api/conversations/{id}/assign-operator (other)': 'conversation.assign',
  'POST /api/conversations/hand-over (queue)': 'conversation.unassign',
  'POST /api/conversations/hand-over (other)': 'conversation.transfer',
  'POST /api/conversations/{id}/finalize': 'conversation.finalize',
  'DELETE /api/conversations/{open}': 'conversation.delete',
  'DELETE /api/conversations/{archived}': 'conversation.delete',

  'GET /api/stats (queue block)': reading,
  'GET /api/stats (statistics block)': reading,

  'GET /api/contacts': listing,
  'GET /api/contacts/{id}': reading,
  'POST /api/contacts/by-phone (known)': reading,
  'POST /api/contacts/by-phone (new)': 'contact.create',
  'PUT /api/contacts/{id}': 'contact.change',
  'GET /api/contacts/{id}/avatar': reading,
  'GET /api/contacts/{id}/conversations': listing,
  'POST /api/contacts/{id}/start-conversation (existing)': reading,
  'POST /api/contacts/{id}/start-conversation (new)': { not: 'writes nothing; the first message does' },
  'POST /api/contacts/{id}/send-message': 'conversation.start',
  'GET /api/contact-categories': reading,
  'GET /api/companies (list)': listing,
  'GET /api/companies (picker)': listing,
  'POST /api/companies': 'company.create',
  'PUT /api/companies/{id}': 'company.change',
  'DELETE /api/companies/{id}': 'company.delete',

  'GET /api/users': listing,
  'GET /api/users/operators': listing,
  'POST /api/users': 'user.create',
  'PUT /api/users/{id}': 'user.update',
  'DELETE /api/users/{other}': 'user.delete',
  'DELETE /api/users/{self}': { not: 'never succeeds; a refusal is recorded as access.denied' },
  'POST /api/users/{other}/toggle-block': 'user.block',
  'POST /api/users/{self}/toggle-block': { not: 'never succeeds; a refusal is recorded as access.denied' },
  'GET /api/users/{id}/sessions': listing,
  'DELETE /api/users/{id}/sessions': 'user.end_sessions',
  'DELETE /api/users/{id}/second-factor': 'user.second_factor_reset',
  'GET /api/second-factor-duties': tuning,
  'PUT /api/second-factor-duties': 'permissions.second_factor',
  'GET /api/user-permissions (own)': ownState,
  'GET /api/user-permissions (all)': listing,
  'POST /api/user-permissions': 'permissions.update',
  'PUT /api/user-permissions/{userId}': 'permissions.update',

  'GET /api/system-settings (projection)': tuning,
  'GET /api/system-settings (full)': tuning,
  'PATCH /api/system-settings': 'settings.change',
  'GET /api/media-settings': tuning,
  'PUT /api/media-settings': 'settings.change',
  'POST /api/quick-responses/file': {
    not: 'takes effect with the settings that name the file, which are recorded',
  },
  'GET /api/quick-responses/files/{name}': reading,

  'GET /api/evolution-config': tuning,
  'GET /api/evolution-config/status': tuning,
  'POST /api/evolution-config': 'gateway.create',
  'PUT /api/evolution-config/{id}': 'gateway.update',
  'POST /api/evolution-config/test': 'gateway.test',
  'POST /api/evolution-config/setup-webhook': 'gateway.webhook',

  'POST /api/media/upload': everyday,
  'GET /api/conversations/{open}/media': reading,
  'GET /api/conversations/{completed}/media': 'conversation.read',
  'GET /api/media/evolution/{msg of open}': reading,
  'GET /api/media/evolution/{msg of archived}': 'conversation.read',
  'GET /api/media/files/{name}': {
    not: 'of an open conversation; of a completed one of somebody else recorded as conversation.read',
  },

  'GET /api/audit-logs': { not: 'who may read the log is decided by a permission, and exports are recorded' },
  'GET /api/audit-logs/export': 'audit.export',

  'GET /api/notices': reading,
  'POST /api/notices/{id}/dismiss': ownState,

  'WS /ws upgrade': live,
  'WS recv conversation and message events': live,
  'WS recv queue*/view_tracking rows': live,
  'WS recv stats_update': live,
  'WS recv gatewayConnected boolean': live,
  'POST /api/webhook/evolution': { not: "the gateway's, who is nobody; refusals are counted as metrics" },
}
