import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { gatewayStates } from '#shared/gateway.ts'
import { appNow, at, oneOf, rowId } from './columns.ts'

/** A connected number: one row an instance of the gateway. The id is the `instance_id` everywhere else. */
export const evolutionApiConfig = pgTable(
  'evolution_api_config',
  {
    id: rowId(),
    instanceName: text('instance_name').notNull().unique(),
    /** AES-256-GCM under SECRET_KEY. */
    apiKeyEncrypted: text('api_key_encrypted').notNull(),
    apiKeyHint: text('api_key_hint').notNull(),
    baseUrl: text('base_url').notNull(),
    webhookUrl: text('webhook_url'),
    isActive: boolean('is_active').notNull().default(true),
    status: text('status', { enum: gatewayStates }).notNull().default('disconnected'),
    ownerJid: text('owner_jid'),
    profileName: text('profile_name'),
    lastConnectedAt: at('last_connected_at'),
    /** The secret of the webhook's Authorization header, encrypted; the one before stays good while it rotates. */
    webhookSecretEncrypted: text('webhook_secret_encrypted'),
    webhookSecretBeforeEncrypted: text('webhook_secret_before_encrypted'),
    /** Told to the gateway, perhaps: nobody has heard yet whether it came there. As good as the other two. */
    webhookSecretPendingEncrypted: text('webhook_secret_pending_encrypted'),
    /** The instance's own token as the gateway told it, encrypted: hand-made webhooks prove themselves by it. */
    instanceTokenEncrypted: text('instance_token_encrypted'),
    webhookSetAt: at('webhook_set_at'),
    /** Messages a second that people's replies may reach. */
    pacePerSecond: doublePrecision('pace_per_second').notNull().default(10),
    /** The pace as a clock: the next send may leave at this moment. */
    nextSendAt: at('next_send_at')
      .notNull()
      .default(sql`now()`),
    /** The same for automatic texts. */
    nextAutomaticAt: at('next_automatic_at')
      .notNull()
      .default(sql`now()`),
    /** Failures in a row; the breaker opens at five. */
    failures: integer('failures').notNull().default(0),
    breakerUntil: at('breaker_until'),
    /** When it was last away, or behind: nobody's silence counts until a while after. */
    troubledAt: at('troubled_at'),
    /** Up to here the gateway's own record was looked through for what no webhook told. */
    sweptUntil: at('swept_until'),
    /** Raw clock: one instance looks at a time. */
    sweepLeaseUntil: at('sweep_lease_until'),
    createdAt: at('created_at').notNull().default(appNow),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  (t) => [
    check('evolution_api_config_status', oneOf(t.status, gatewayStates)),
    check('evolution_api_config_pace', sql`${t.pacePerSecond} > 0`),
  ],
)

/** What the gateway told us, as it came (without its key), before anything is made of it. */
export const webhookInbox = pgTable(
  'webhook_inbox',
  {
    id: rowId(),
    /** null: an instance that we do not know; kept aside. */
    instanceId: integer('instance_id').references(() => evolutionApiConfig.id),
    instanceName: text('instance_name').notNull(),
    event: text('event').notNull(),
    dedupeKey: text('dedupe_key').notNull(),
    /** What must be worked off in order: one contact's events. */
    lane: text('lane').notNull(),
    payload: jsonb('payload').$type<unknown>().notNull(),
    receivedAt: at('received_at').notNull().default(appNow),
    processedAt: at('processed_at'),
    attempts: integer('attempts').notNull().default(0),
    /** Raw clock: a lease, not an instant of the product. */
    notBefore: at('not_before')
      .notNull()
      .default(sql`now()`),
    deadReason: text('dead_reason'),
  },
  (t) => [
    unique('webhook_inbox_dedupe').on(t.instanceName, t.dedupeKey),
    // The version before asks by it; the next one drops it.
    index('webhook_inbox_todo')
      .on(t.lane, t.id)
      .where(sql`${t.processedAt} is null and ${t.deadReason} is null`),
    index('webhook_inbox_lanes')
      .on(t.lane, t.id)
      .where(sql`${t.processedAt} is null and ${t.deadReason} is null and ${t.instanceId} is not null`),
    // Without what is kept aside for an unknown number: the oldest row is asked for all the time.
    index('webhook_inbox_order')
      .on(t.id)
      .where(sql`${t.processedAt} is null and ${t.deadReason} is null and ${t.instanceId} is not null`),
    index('webhook_inbox_dead')
      .on(t.id)
      .where(sql`${t.deadReason} is not null`),
    index('webhook_inbox_received').on(t.receivedAt),
  ],
)
