import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, index, integer, jsonb, text, unique } from 'drizzle-orm/pg-core'
import { closedReasons } from '#shared/gateway/gateway-link.ts'
import { gatewayStates } from '#shared/gateway/gateway.ts'
import type { NumberSettings } from '#shared/settings/own-settings.ts'
import { appNow, at, oneOf, rowId } from './columns.ts'
import { momentary } from './declare/backup.ts'
import { month, singleRow } from './declare/ends.ts'
import { messagesOf, naming, type Person } from './declare/person.ts'
import { always, matchedBy } from './declare/restored.ts'
import { table } from './declare/table.ts'
import { minutes, seconds } from './declare/waits.ts'
import { sectors } from '#server/schema/sectors/sectors.ts'

/**
 * A connected number: one row per instance of the gateway. All other tables reference it as `instance_id`.
 */
export const evolutionApiConfig = table(
  'evolution_api_config',
  {
    id: rowId(),
    instanceName: text('instance_name').notNull().unique(),
    /** AES-256-GCM with SECRET_KEY. */
    apiKeyEncrypted: text('api_key_encrypted').notNull(),
    apiKeyHint: text('api_key_hint').notNull(),
    baseUrl: text('base_url').notNull(),
    webhookUrl: text('webhook_url'),
    isActive: boolean('is_active').notNull().default(true),
    status: text('status', { enum: gatewayStates }).notNull().default('disconnected'),
    ownerJid: text('owner_jid'),
    profileName: text('profile_name'),
    lastConnectedAt: at('last_connected_at'),
    /**
     * Encrypted secret of the webhook's Authorization header. The previous one stays valid during a rotation.
     */
    webhookSecretEncrypted: text('webhook_secret_encrypted'),
    webhookSecretBeforeEncrypted: text('webhook_secret_before_encrypted'),
    /** Sent to the gateway, possibly without effect: valid like the other two. */
    webhookSecretPendingEncrypted: text('webhook_secret_pending_encrypted'),
    /**
     * Encrypted token of the instance, as the gateway gave it: webhooks that were set up by hand authenticate
     * with it.
     */
    instanceTokenEncrypted: text('instance_token_encrypted'),
    webhookSetAt: at('webhook_set_at'),
    /** Maximum rate of people's messages, per second. */
    pacePerSecond: doublePrecision('pace_per_second').notNull().default(10),
    /** Enforces the rate: the earliest time of the next send. */
    nextSendAt: at('next_send_at')
      .notNull()
      .default(sql`now()`),
    /** The same for automatic texts. */
    nextAutomaticAt: at('next_automatic_at')
      .notNull()
      .default(sql`now()`),
    /** Consecutive failures; the circuit breaker opens at five. */
    failures: integer('failures').notNull().default(0),
    breakerUntil: at('breaker_until'),
    /** When the number was last disconnected or behind: inactivity does not count until a while later. */
    troubledAt: at('troubled_at'),
    /**
     * Inactivity counts from here on at the earliest: the number was switched on, or what decides of the
     * closing was changed.
     */
    inactivityFrom: at('inactivity_from'),
    /** The gateway's own record was searched for missing messages up to this time. */
    sweptUntil: at('swept_until'),
    /** By now(): only one instance sweeps at a time. */
    sweepLeaseUntil: at('sweep_lease_until'),
    /** Since when somebody links the number to a phone; null when it is linked, or nobody does. */
    linkingAt: at('linking_at'),
    /** The QR code and the pairing code to show, sealed: whoever scans it links a phone of their own. */
    codeEncrypted: text('code_encrypted'),
    codeAt: at('code_at'),
    /** How many codes this linking has had. */
    codeCount: integer('code_count').notNull().default(0),
    /** The release of the gateway, such as '2.4.0'; '' when it does not say, null when it was not asked. */
    release: text('release'),
    /** Since when it is that one, as far as we have seen. */
    releaseAt: at('release_at'),
    /** Whether that release sends messages under the ids that we give them. */
    keepsIds: boolean('keeps_ids').notNull().default(false),
    /** Why the number is not connected, as far as the gateway tells. */
    closedReason: text('closed_reason', { enum: closedReasons }),
    closedAt: at('closed_at'),
    /** When the messages of the last days were last looked through for changes that no webhook told. */
    lookedBackAt: at('looked_back_at'),
    /** Since when nothing had come when the connection was last restarted because of that. */
    silentSince: at('silent_since'),
    restartedAt: at('restarted_at'),
    /** The gateway did not restart it. */
    isRestartFailed: boolean('is_restart_failed').notNull().default(false),
    /** The settings that are this number's own; those that are absent are the installation's. */
    ownSettings: jsonb('own_settings').$type<Partial<NumberSettings>>().notNull().default({}),
    /** How often they were changed: a change that was based on an earlier version can be refused. */
    ownVersion: integer('own_version').notNull().default(0),
    /** Where its new conversations go, if nothing else says so; null: 'Sem setor'. */
    defaultSectorId: integer('default_sector_id').references(() => sectors.id),
    /** Nobody sees the number any longer; its finalized conversations stay. */
    deletedAt: at('deleted_at'),
    createdAt: at('created_at').notNull().default(appNow),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  {
    backup: {
      part: 'settings',
      label: 'Gateway',
      restored: { ...matchedBy(sql`t.instance_name = s.instance_name`), isAdded: always },
      without: `
        status lastConnectedAt webhookSecretBeforeEncrypted webhookSecretPendingEncrypted webhookSetAt
        nextSendAt nextAutomaticAt failures breakerUntil troubledAt inactivityFrom sweptUntil sweepLeaseUntil
        lookedBackAt silentSince restartedAt isRestartFailed linkingAt codeEncrypted codeAt codeCount
        closedReason closedAt release releaseAt keepsIds ownVersion
      `,
    },
    ends: { bounded: 'by the connected numbers' },
    waits: {
      due: { nextSendAt: minutes(1), nextAutomaticAt: minutes(1), breakerUntil: minutes(2) },
      leases: { sweepLeaseUntil: minutes(2) },
      past: [
        'troubledAt',
        'inactivityFrom',
        'sweptUntil',
        'lookedBackAt',
        'silentSince',
        'restartedAt',
        'linkingAt',
        'codeAt',
        'closedAt',
        'releaseAt',
      ],
    },
    other: `
      id instanceName apiKeyEncrypted apiKeyHint baseUrl webhookUrl isActive status ownerJid profileName
      lastConnectedAt webhookSecretEncrypted webhookSecretBeforeEncrypted webhookSecretPendingEncrypted
      instanceTokenEncrypted webhookSetAt pacePerSecond nextSendAt nextAutomaticAt failures breakerUntil
      troubledAt inactivityFrom sweptUntil sweepLeaseUntil lookedBackAt silentSince restartedAt
      isRestartFailed deletedAt linkingAt codeEncrypted codeAt codeCount closedReason closedAt release
      releaseAt keepsIds ownSettings ownVersion defaultSectorId
      createdAt updatedAt
    `,
  },
  (t) => [
    check('evolution_api_config_status', oneOf(t.status, gatewayStates)),
    check('evolution_api_config_closed_reason', oneOf(t.closedReason, closedReasons)),
    check('evolution_api_config_pace', sql`${t.pacePerSecond} > 0`),
  ],
)

/** A single row: what of the first steps of an installation was left out, and when they ended. */
export const firstSteps = table(
  'first_steps',
  {
    id: integer('id').primaryKey().default(1),
    isMessageSkipped: boolean('is_message_skipped').notNull().default(false),
    isTeamSkipped: boolean('is_team_skipped').notNull().default(false),
    isHoursSkipped: boolean('is_hours_skipped').notNull().default(false),
    doneAt: at('done_at'),
  },
  {
    backup: { left: 'says what this installation has still to do' },
    ends: singleRow,
    other: 'id isMessageSkipped isTeamSkipped isHoursSkipped doneAt',
  },
)

/** A single row: the webhooks that were refused, until none is for a while. */
export const webhookRefusals = table(
  'webhook_refusals',
  {
    id: integer('id').primaryKey().default(1),
    count: integer('count').notNull(),
    since: at('since').notNull().default(appNow),
    lastAt: at('last_at').notNull().default(appNow),
  },
  {
    backup: momentary,
    ends: singleRow,
    waits: { past: ['since', 'lastAt'] },
    other: 'id count since lastAt',
  },
)

/**
 * Webhooks that name the person, or are about a message of theirs. One that a worker is processing is not
 * waited for, since it may be waiting for us: it comes at the same moment, and is of a new contact.
 */
const ofWebhook = (person: Person): SQL =>
  sql`id in (
    select i.id from webhook_inbox i
     where ${naming(sql`i.lane`, person)} or ${naming(sql`i.payload::text`, person)}
        or substring(i.lane from ':message:(.*)$') in (${messagesOf(person, 'whatsapp_message_id')})
     order by i.id for update skip locked)`

/** Webhook bodies as received, without the gateway's key, before they are processed. */
export const webhookInbox = table(
  'webhook_inbox',
  {
    id: rowId(),
    /** null: an unknown instance, in quarantine. */
    instanceId: integer('instance_id').references(() => evolutionApiConfig.id),
    instanceName: text('instance_name').notNull(),
    event: text('event').notNull(),
    dedupeKey: text('dedupe_key').notNull(),
    /** Bodies of one lane, such as those of one contact, are processed in order. */
    lane: text('lane').notNull(),
    payload: jsonb('payload').$type<unknown>().notNull(),
    receivedAt: at('received_at').notNull().default(appNow),
    processedAt: at('processed_at'),
    attempts: integer('attempts').notNull().default(0),
    /** By now(): a lease, not a time of the product's clock. */
    notBefore: at('not_before')
      .notNull()
      .default(sql`now()`),
    deadReason: text('dead_reason'),
  },
  {
    backup: { left: 'what came is in the messages' },
    ends: {
      trimmed: {
        by: 'trim-inbox',
        after: month,
        since: sql`t.received_at + interval '60 days' * (t.processed_at is null)::int`,
        where: sql`(t.processed_at is not null or t.dead_reason is not null or t.instance_id is null)
                   and not exists (select from maintenance_plans p where p.plan ->> 'inboxDays' is not null)`,
      },
    },
    personal: {
      of: ofWebhook,
      columns: {
        // An empty body is processed like any other, and has no effect.
        payload: sql`'{}'::jsonb`,
        lane: sql`'erased:' || id`,
        deadReason: sql`case when dead_reason is not null then 'erased' end`,
      },
    },
    waits: {
      due: { notBefore: seconds(16) },
      where: sql`t.processed_at is null and t.dead_reason is null and t.instance_id is not null`,
    },
    // The key is that of a message, or a hash: a body that comes again is still known.
    other: 'id instanceId instanceName event dedupeKey receivedAt processedAt attempts notBefore',
  },
  (t) => [
    unique('webhook_inbox_dedupe').on(t.instanceName, t.dedupeKey),
    index('webhook_inbox_lanes')
      .on(t.lane, t.id)
      .where(sql`${t.processedAt} is null and ${t.deadReason} is null and ${t.instanceId} is not null`),
    // Without quarantined rows, because the oldest row is queried all the time. The planner expects next to
    // no rows in a queue, takes all of its indexes for equally cheap, and may read this one in full where the
    // other is meant: so only queries that state the last condition can use it.
    index('webhook_inbox_oldest')
      .on(t.id)
      .where(
        sql`${t.processedAt} is null and ${t.deadReason} is null and ${t.instanceId} is not null
            and ${t.id} > 0`,
      ),
    index('webhook_inbox_dead')
      .on(t.id)
      .where(sql`${t.deadReason} is not null`),
    index('webhook_inbox_received').on(t.receivedAt),
  ],
)
