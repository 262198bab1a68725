import { sql } from 'drizzle-orm'
import type { Result } from '../support/scenario.ts'
import { ask, count, found } from './ask.ts'
import type { Office } from './office.ts'

// Whatever thirty people have done, in the evening nothing that was written is lost or doubled.

export async function whatClientsWrote(office: Office): Promise<Result> {
  const stored = new Map(
    (
      await ask<{ content: string; n: number }>(
        office,
        sql`select content, count(*)::int as n from messages
             where sender_type = 'contact' and content ~ '^zqc\\d+z$' group by 1`,
      )
    ).map(({ content, n }) => [content, n]),
  )
  return {
    property: 'what clients wrote is there once',
    checked: office.heard.size,
    faults: [...office.heard].flatMap(([text]) =>
      stored.get(text) === 1 ? [] : [`${text} is there ${stored.get(text) ?? 0} times`],
    ),
  }
}

/** Replies and scheduled messages, in the database and on the phones. */
export async function whatTheTeamSaid(office: Office): Promise<Result[]> {
  const phones = new Map<string, number>()
  for (const { phoneId } of office.clients)
    for (const { from, text } of office.at.simulator.control.chat(phoneId, 1_000_000)) {
      const said = from === 'company' ? /zq[rs]\d+z/.exec(text ?? '')?.[0] : undefined
      if (said !== undefined) phones.set(said, (phones.get(said) ?? 0) + 1)
    }
  const scheduled = await ask<{
    content: string
    state: string
    reason: string | null
    isEarly: boolean
    isOverdue: boolean
  }>(
    office,
    sql`select s.content, s.state, s.reason, coalesce(m.created_at < s.asked_at, false) as "isEarly",
               s.state = 'pending' and s.send_at < app_now() - interval '10 minutes' as "isOverdue"
          from scheduled_messages s left join messages m on m.id = s.message_id`,
  )
  const timesOf = (text: string) => phones.get(text) ?? 0
  return [
    {
      property: 'a reply is on the phone once, or was refused',
      checked: office.said.length,
      faults: office.said.flatMap(({ text, isPromised }) =>
        timesOf(text) === (isPromised ? 1 : 0)
          ? []
          : [`${text}, ${isPromised ? 'accepted' : 'refused'}, is there ${timesOf(text)} times`],
      ),
    },
    {
      property: 'what was scheduled is sent once, or cancelled with its reason, and none too early',
      checked: scheduled.length,
      faults: scheduled.flatMap(({ content, state, reason, isEarly, isOverdue }) => {
        if (timesOf(content) !== (state === 'sent' ? 1 : 0))
          return [`${content}, ${state}, is there ${timesOf(content)} times`]
        if (isEarly) return [`${content} was sent before its time`]
        if (isOverdue) return [`${content} is still to be sent`]
        return state === 'cancelled' && reason === null ? [`${content} was cancelled without a reason`] : []
      }),
    },
  ]
}

export async function holds(office: Office): Promise<Result> {
  const faults = [
    ...(await found(
      office,
      sql`with told as (
            select m.conversation_id as id,
                   count(*) filter (where m.metadata #>> '{event,act}' = 'snooze_over')::int as by_time,
                   count(*) filter (where m.metadata #>> '{event,act}' = 'snooze_answered')::int as by_client
              from messages m where m.message_type = 'event' group by 1),
          held as (
            select s.conversation_id as id,
                   count(*) filter (where ended_by = 'time')::int as by_time,
                   count(*) filter (where ended_by = 'client')::int as by_client,
                   count(*) filter (where ended_by is null)::int as open
              from snoozes s group by 1)
          select concat('conversation ', v.id, ': ', held, ', told ', told) as what
            from conversations v left join told using (id) left join held using (id)
           where coalesce(held.open, 0) <> (v.snoozed_until is not null)::int
              or coalesce(held.by_time, 0) <> coalesce(told.by_time, 0)
              or coalesce(held.by_client, 0) <> coalesce(told.by_client, 0)`,
    )),
    ...(await found(
      office,
      sql`select concat('a hold of ', conversation_id, ' ended ', until - ended_at, ' early') as what
            from snoozes where ended_by = 'time' and ended_at < until`,
    )),
    ...(await found(
      office,
      sql`select concat('conversation ', id, ' is still on hold, until ', snoozed_until) as what
            from conversations where snoozed_until < app_now() - interval '10 minutes'`,
    )),
    ...(await found(
      office,
      sql`select concat('conversation ', id, ' waits while it is on hold') as what from conversations
           where snoozed_until is not null
             and (waiting_for <> 'client' or waiting_since is not null or status = 'completed')`,
    )),
  ]
  const checked = await count(office, sql`select count(*)::int as n from snoozes`)
  return { property: 'a hold ends once, at its time or by the client, and is told', checked, faults }
}

/** What each run leaves is there as often as its conversation says that one was run. */
export async function macros(office: Office): Promise<Result> {
  const runs = await ask<{
    id: number
    phone: string
    runs: number
    texts: number
    lines: number
    isWhole: boolean
  }>(
    office,
    sql`select v.id, k.phone, count(distinct r.id)::int as runs,
               (select count(*)::int from messages m
                 where m.conversation_id = v.id and m.content ~ '^zqm ') as texts,
               (select count(*)::int from messages m
                 where m.conversation_id = v.id and m.metadata #>> '{event,act}' = 'macro') as lines,
               (select count(*) filter (where m.message_type = 'note' and m.content = 'separar hoje')
                       = count(*) filter (where m.content ~ '^zqm .* (separar|encerrar)$')
                  from messages m where m.conversation_id = v.id) as "isWhole"
          from conversations v join contacts k on k.id = v.contact_id
          left join macro_runs r on r.conversation_id = v.id
         group by v.id, k.phone`,
  )
  const told = Map.groupBy(runs, ({ phone }) => phone)
  return {
    property: 'a macro is done whole and once, or not at all',
    checked: runs.reduce((all, one) => all + one.runs, 0),
    faults: [
      ...runs.flatMap(({ id, runs: n, texts, lines, isWhole }) =>
        n === texts && n === lines && isWhole
          ? []
          : [`conversation ${id}: ${n} runs, ${texts} texts, ${lines} lines, whole ${isWhole}`],
      ),
      ...office.clients.flatMap(({ phone, phoneId }) => {
        const wanted = (told.get(phone) ?? []).reduce((all, { texts }) => all + texts, 0)
        const there = office.at.simulator.control
          .chat(phoneId, 1_000_000)
          .filter(({ from, text }) => from === 'company' && text?.includes('zqm ')).length
        return there === wanted ? [] : [`${phone} has ${there} texts of ${wanted}`]
      }),
    ],
  }
}
