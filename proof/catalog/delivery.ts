import type { CatalogEntry } from '../support/catalog-entry.ts'

/** Messages on their way: none is lost, doubled or late. */
export const delivery: readonly CatalogEntry[] = [
  {
    name: 'chaos',
    shows: 'kill -9 at every point of the delivery path: phones, database and sockets agree afterwards',
    takes: '6 min',
    found: [
      'the probe of a killed program kept everybody from a gateway that was back (9763f706)',
      'events whose transaction got an id again after the database crashed were not delivered (7003adea)',
    ],
    without: 'messages that are lost, doubled or stale after a death at a moment of which no test knows',
    load: async () => (await import('../chaos/chaos.ts')).chaos,
  },
  {
    name: 'storms',
    shows: 'webhooks delivered up to twenty times, shuffled, have one effect each',
    takes: '20 min',
    found: [
      'a pin was reported again by each look through the record (86c11358)',
      'the same message reported again at both instances ended in a deadlock (9787a9e5)',
      'an answer and a claim of the outbox waited for each other (c39f66de)',
      'an edit from the record was stored once more when its webhook came (3bec6bf0)',
    ],
    without: 'deadlocks and second effects of rare orders of arrival, on two instances',
    load: async () => (await import('../storms/storms.ts')).storms,
  },
  {
    name: 'races',
    shows: 'two people acting on one conversation at once leave what one of the two orders would have left',
    takes: '10 min',
    found: ['a conversation that was taken by a reply had no line about it in its timeline (a189ed2e)'],
    without: 'that every pair of acts is serial, with version, audit and order everywhere',
    load: async () => (await import('../races/races.ts')).races,
  },
  {
    name: 'order',
    shows:
      'an answer waits for none of 500 automatic texts; each phone receives what was decided for it, in ' +
      'that order, over its conversations, and nothing of the queue after an answer',
    takes: '2 min',
    found: [],
    without: 'orders of acts that nobody has thought of',
    load: async () => (await import('../order/order.ts')).order,
  },
  {
    name: 'schedules',
    shows:
      'scheduled messages over kills, restarts, outages of the gateway and the database, closed hours, and ' +
      'answers in the second in which they are due: each is sent once, or cancelled with its reason',
    takes: '20 min',
    found: [],
    without: 'a message that goes out twice, or after the answer that was to cancel it',
    load: async () => (await import('../schedules/schedules.ts')).schedules,
  },
  {
    name: 'team-days',
    shows:
      'days of thirty people with pauses, holds, scheduled messages, macros, reasons and targets at once: ' +
      'in the evening nothing is lost or doubled, and every figure is what people did',
    takes: '15 min',
    found: [
      'taking the next conversation could wait for the figures of the reports, and these for it (1b2fabf8)',
    ],
    without: 'what these do to one another, since each is proven by itself',
    load: async () => (await import('../team-days/team-days.ts')).teamDays,
  },
  {
    name: 'macros',
    shows:
      'a program that is killed at each step of a macro has done nothing of it, or all; of two people who ' +
      'run it at once one does, and the other is told; what was written is on the phone once',
    takes: '5 min',
    found: [],
    without: 'a macro that is half done, or done twice',
    load: async () => (await import('../macros/macros.ts')).macros,
  },
  {
    name: 'played-answers',
    shows:
      'hundreds of answers that people really give, played as whole conversations on both clocks, end as a ' +
      'careful person would decide: none is sent away or left unseen who wanted something',
    takes: '1 min',
    found: [],
    without: 'what an answer does to a conversation, beside what it is read as',
    load: async () => (await import('../played-answers/played-answers.ts')).playedAnswers,
  },
  {
    name: 'clock',
    shows:
      'the clock of the database moved by two hours or two days for ten seconds: what was due is done ' +
      'within 20 s of the correction, and nothing twice',
    takes: '8 min',
    found: [
      'a reply waited for minutes when the database ended a statement of its send (bc314c10)',
      'a message that came while the clock was days ahead stayed in the history (9365a8d4)',
    ],
    without: 'work that waits for a clock that was wrong, since each time of the product is stored by it',
    load: async () => (await import('../clock/clock.ts')).clock,
  },
  {
    name: 'walk',
    shows: "after any acts a browser's cache equals a fresh fetch",
    takes: '10 min',
    found: [
      "a contact's new name hid that a conversation had ended during a gap (a4898fa6)",
      'news that was sent again to a tab that resumed came as a second notice (7a097769)',
      'quotes and pages stayed as they were when messages or starts were moved (12f8e3f2)',
      'a timeline kept its length when messages left it, and quotes a text from before an edit (1e7732dd)',
      'a finished chat that somebody looked at kept what its contact had been called before (b2e353ce)',
    ],
    without: 'screens that show something else than the server has, after acts in an order nobody wrote down',
    load: async () => (await import('../walk/walk.ts')).walk,
  },
  {
    name: 'reconnect',
    shows: "WhatsApp's socket away, and the gateway restarted a hundred times: nothing lost, order kept",
    takes: '6 min',
    found: ["a file whose upload found WhatsApp's connection closed was never sent again (b3170bbd)"],
    without: 'replies that are lost or change places around restarts of the gateway',
    load: async () => (await import('../reconnect/reconnect.ts')).reconnect,
  },
  {
    name: 'lost-answers',
    shows: 'sends with lost answers are settled by their own ids, once, also over upgrades of the gateway',
    takes: '10 min',
    found: [],
    without: 'that a text written on the phone is never taken for the send of the same text',
    load: async () => (await import('../lost-answers/lost-answers.ts')).lostAnswers,
  },
  {
    name: 'transcriptions',
    shows:
      'voices that come while the program is killed, to a server that hangs, fails, refuses, answers a ' +
      'megabyte or markup: each gets its words once or its reason, no undeclared address is reached, the ' +
      'key stands nowhere, and replies wait for nothing of it',
    takes: '6 min',
    found: [],
    without: 'a voice that is sent again and again, or never, after a death between its answer and its words',
    load: async () => (await import('../transcriptions/transcriptions.ts')).transcriptions,
  },
  {
    name: 'fuzz-webhook',
    shows: 'damaged and arbitrary webhook bodies are all answered and worked off',
    takes: '2 min',
    found: ['messages under two addresses of a contact, or of many chats, ended in deadlocks (e21ecbd4)'],
    without: 'bodies that stop the inbox, and memory that grows with them',
    load: async () => (await import('../fuzz-webhook/fuzz-webhook.ts')).fuzzWebhook,
  },
  {
    name: 'hostile-bodies',
    shows: 'a thousand hostile bodies of strangers at once cost neither memory nor time',
    takes: '1 min',
    found: [
      'a deep body was refused only after all of it had come (543cbf54)',
      'valid bodies of strangers were parsed before their key was judged (bca55aa3)',
      'what was read of refused requests stayed in memory (f813aed6)',
    ],
    without: 'that memory and answers of a program under such a flood stay within bounds',
    load: async () => (await import('../hostile-bodies/hostile-bodies.ts')).hostileBodies,
  },
  {
    name: 'hostile-files',
    shows: 'hostile workbooks and other files of contacts cost neither memory nor time beside messages',
    takes: '5 min',
    found: [],
    without: 'a workbook of some kilobytes that stops the program for everybody',
    load: async () => (await import('../hostile-files/hostile-files.ts')).hostileFiles,
  },
]
