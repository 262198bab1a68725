import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { AuditResource } from '#shared/audit/audit-actions.ts'
import { roles } from '#shared/permissions.ts'
import { appNow, at, oneOf, rowId } from './columns.ts'
import { singleRow } from './declare/ends.ts'
import { table } from './declare/table.ts'

const ofTheLog = { left: 'of the log' } as const

/** `request`: a person or a stranger, over the network. `command`: the administration commands. */
export const auditOrigins = ['request', 'command', 'system'] as const
export const auditOutcomes = ['done', 'refused'] as const

/**
 * Who did what. Triggers refuse every change of a row but its sealing, and every deletion.
 * @see security §5.1, decision 28
 */
export const auditLogs = table(
  'audit_logs',
  {
    id: rowId(),
    /** null: the system, a command, or somebody who is not signed in. */
    userId: integer('user_id'),
    /** The person's role at that time. */
    role: text('role', { enum: roles }),
    sessionId: integer('session_id'),
    /** null in rows of earlier versions. */
    origin: text('origin', { enum: auditOrigins }),
    action: text('action').notNull(),
    resourceType: text('resource_type').$type<AuditResource>().notNull(),
    resourceId: text('resource_id'),
    /**
     * The number that it happened at: that of the conversation, or the connection itself. Null: at none, or
     * the row is of a version before 0.3.
     */
    instanceId: integer('instance_id'),
    outcome: text('outcome', { enum: auditOutcomes }).notNull().default('done'),
    /** How often it was repeated within its minute, counted in this row. */
    repeats: integer('repeats').notNull().default(1),
    /** Of a row that counts repetitions, until it is sealed. */
    repeatKey: text('repeat_key'),
    /** Values of no person. */
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    /** SHA-256 over salt and values of `audit_personal`, in hex. */
    personalHash: text('personal_hash'),
    createdAt: at('created_at').notNull().default(appNow),
    /** The place in the chain, from 1 without gaps, and its hash; null until the row is sealed. */
    position: integer('position'),
    hash: text('hash'),
  },
  {
    backup: { left: 'a restore keeps the log, and is written into it' },
    ends: { kept: 'nothing: a chain' },
    other: `
      id userId role sessionId origin action resourceType resourceId instanceId outcome repeats repeatKey
      details personalHash createdAt position hash
    `,
  },
  (t) => [
    index('audit_logs_created').on(t.createdAt, t.id),
    index('audit_logs_group').on(sql`split_part(${t.action}, '.', 1)`, t.createdAt, t.id),
    index('audit_logs_user').on(t.userId, t.createdAt, t.id),
    index('audit_logs_resource').on(t.resourceType, t.resourceId, t.createdAt, t.id),
    index('audit_logs_refused')
      .on(t.createdAt, t.id)
      .where(sql`${t.outcome} = 'refused'`),
    uniqueIndex('audit_logs_position').on(t.position),
    index('audit_logs_unsealed')
      .on(t.id)
      .where(sql`${t.position} is null`),
    uniqueIndex('audit_logs_repeat')
      .on(t.repeatKey)
      .where(sql`${t.repeatKey} is not null`),
    check('audit_logs_outcome', oneOf(t.outcome, auditOutcomes)),
    check('audit_logs_sealed', sql`(${t.position} is null) = (${t.hash} is null)`),
    check('audit_logs_counted', sql`${t.position} is null or ${t.repeatKey} is null`),
  ],
)

/** The values of a row that concern a person. */
export const auditPersonal = table(
  'audit_personal',
  {
    logId: integer('log_id')
      .primaryKey()
      .references(() => auditLogs.id),
    /** 128 random bits in hex: without it a telephone number could be found by trying all. */
    salt: text('salt'),
    values: jsonb('values').$type<Record<string, unknown>>(),
    /** The row of the log that tells of the erasure; then salt and values are gone. */
    erasedBy: integer('erased_by').references(() => auditLogs.id),
  },
  {
    backup: ofTheLog,
    ends: { kept: 'nothing; the period of the plan empties it' },
    // `eraseFromAudit` takes the values of the rows about a contact; the chain stays whole.
    other: 'logId salt values erasedBy',
  },
  (t) => [
    index('audit_personal_address').on(sql`(${t.values} ->> 'address')`, t.logId),
    check('audit_personal_erased', sql`(${t.values} is null) = (${t.erasedBy} is not null)`),
    check('audit_personal_salt', sql`(${t.values} is null) = (${t.salt} is null)`),
  ],
)

/** A single row: the last place of the chain and its hash, so that a cut end is found. */
export const auditHead = table(
  'audit_head',
  {
    id: integer('id').primaryKey().default(1),
    position: integer('position').notNull(),
    hash: text('hash').notNull(),
    sealedAt: at('sealed_at').notNull().default(appNow),
  },
  {
    backup: ofTheLog,
    ends: singleRow,
    other: 'id position hash sealedAt',
  },
  (t) => [check('audit_head_single', sql`${t.id} = 1`)],
)

/** A single row: what the last check of the chain has found. */
export const auditChecks = table(
  'audit_checks',
  {
    id: integer('id').primaryKey().default(1),
    checkedAt: at('checked_at').notNull().default(appNow),
    /** The last place that was checked. */
    position: integer('position').notNull(),
    breaks: integer('breaks').notNull(),
    /** The place of the first break, and what is wrong there. */
    firstPosition: integer('first_position'),
    firstFault: text('first_fault'),
  },
  {
    backup: ofTheLog,
    ends: singleRow,
    other: 'id checkedAt position breaks firstPosition firstFault',
  },
  (t) => [check('audit_checks_single', sql`${t.id} = 1`)],
)
