import * as z from 'zod/mini'
import { gatewayId, messageContent, told } from '#shared/contacts/client-phone.ts'

/** Acts on a conversation that its timeline shows as a line. */
export const conversationActs = [
  'taken',
  'assigned',
  'returned',
  'transferred',
  // To the queue of a sector; to a sector without anything else.
  'moved',
  'placed',
  'finalized',
  'reopened',
  'reason_changed',
  // On hold until a time, back by the hand of somebody, by the clock, or since the client wrote.
  'snoozed',
  'resumed',
  'snooze_over',
  'snooze_answered',
  'tagged',
  // Somebody ran the macro ‘to’.
  'macro',
  'blocked',
  'anonymized',
  // Done by the product itself.
  'distributed',
  'closed_by_inactivity',
  'closed_as_blocked',
  'text_withdrawn',
  'kept_open',
  'not_shown',
  // Of the agent that answers clients who wait.
  'assistant_on',
  'assistant_off',
  'assistant_asked_person',
  'assistant_failed',
] as const
export type ConversationAct = (typeof conversationActs)[number]

/** The outcome of a client's call: it rings, nobody answered, or somebody answered on the connected phone. */
export const callOutcomes = ['ringing', 'missed', 'answered'] as const

/** A shared contact card. */
export const sharedContact = z.object({
  name: told,
  phones: z.array(
    z.object({
      /** As written on the card. */
      number: told,
      /** Digits with country code, if WhatsApp knows the number. */
      waId: z.optional(told),
    }),
  ),
  organization: z.optional(z.string()),
  email: z.optional(z.string()),
  url: z.optional(z.string()),
})
export type SharedContact = z.infer<typeof sharedContact>

/** Whom a note mentions, a person or a sector, with the name by which its text calls them. */
export const mention = z.object({
  userId: z.optional(z.int()),
  sectorId: z.optional(z.int()),
  name: z.string(),
})
export type Mention = z.infer<typeof mention>

/** Where a message of the team comes from that no person wrote in the console. */
export const origin = z.enum(['phone', 'automatic', 'assistant', 'api'])
export type Origin = z.infer<typeof origin>

export const messageMetadata = z.object({
  /** The contact was anonymized: text, file and everything about the person are gone. */
  isErased: z.optional(z.literal(true)),
  /** Its text is older than the installation keeps texts. */
  isExpired: z.optional(z.literal(true)),
  /** The setting that an automatic text comes from. */
  text: z.optional(z.string()),
  /** The sectors that a menu offered, in the order of their figures; a 0 at the end: '0 - Cancelar', too. */
  menu: z.optional(z.array(z.int())),
  /** The origin of a message of the team that no operator wrote. */
  origin: z.optional(origin),
  /** For the origin 'assistant': the name of the agent. */
  agentName: z.optional(z.string()),
  /** It was scheduled, and sent while its conversation was in the queue: nobody attends the client by it. */
  intoQueue: z.optional(z.literal(true)),
  /** Of a note. */
  mentions: z.optional(z.array(mention)),
  /** Of a deleted note: who did it, by name. */
  deletedBy: z.optional(z.string()),
  /** The client's answer to the satisfaction question, 1 to 5. */
  rating: z.optional(z.int()),
  /** Arrived late and was inserted at the time it was sent. */
  recovered: z.optional(z.boolean()),
  /** Ids of further copies that the gateway sent. */
  duplicateIds: z.optional(z.array(gatewayId)),
  seconds: z.optional(z.number()),
  isVoice: z.optional(z.boolean()),
  /** What a server of transcription made of a sound. Answers have it in `transcription` of the message. */
  transcription: z.optional(messageContent),
  /** Pixels. */
  width: z.optional(z.number()),
  height: z.optional(z.number()),
  /** A round video. */
  isRound: z.optional(z.boolean()),
  /** A video that plays in a loop, without sound. */
  isGif: z.optional(z.boolean()),
  /** A picture whose bytes no browser should draw: too large, of unknown size, or something else. */
  isDownloadOnly: z.optional(z.boolean()),
  pages: z.optional(z.number()),
  isForwarded: z.optional(z.boolean()),
  /** Can be viewed once; WhatsApp usually withholds it from linked devices. */
  isViewOnce: z.optional(z.boolean()),
  contacts: z.optional(z.array(sharedContact)),
  location: z.optional(
    z.object({
      latitude: z.number(),
      longitude: z.number(),
      name: z.optional(z.string()),
      address: z.optional(z.string()),
      isLive: z.optional(z.boolean()),
    }),
  ),
  /** The question is the message's content. */
  poll: z.optional(
    z.object({
      options: z.array(z.string()),
      /** How many options may be chosen; 0 for any number. */
      selectable: z.int(),
    }),
  ),
  call: z.optional(z.object({ isVideo: z.boolean(), outcome: z.enum(callOutcomes) })),
  /**
   * For the type 'event': what the sender did, and who received the conversation; for 'not_shown' the
   * gateway's name for what came. A null sender is the product itself. The content is a note for the team,
   * or ''.
   */
  event: z.optional(
    z.object({
      to: z.optional(z.string()),
      act: z.enum(conversationActs),
      /** For 'snoozed': when it is to return. */
      until: z.optional(z.string()),
      /** For 'finalized' and 'reason_changed': why it ended, as it was called then. */
      ended: z.optional(z.string()),
      /** For 'tagged': what was put on and taken off, as it was called then. */
      added: z.optional(z.array(z.string())),
      removed: z.optional(z.array(z.string())),
      /** For 'distributed': why this operator was chosen. */
      reason: z.optional(
        z.object({
          /** How many operators were available. */
          among: z.int(),
          /** The receiver's open conversations, how many of them waited for an answer, and their limit. */
          active: z.int(),
          waiting: z.int(),
          capacity: z.int(),
        }),
      ),
    }),
  ),
  /** The advertisement that led the client here. */
  ad: z.optional(
    z.object({
      title: z.optional(z.string()),
      body: z.optional(z.string()),
      url: z.optional(z.string()),
      sourceId: z.optional(z.string()),
    }),
  ),
  /** When it was edited on the phone, if the new text could not be read. */
  unreadEditAt: z.optional(z.string()),
  /** What the gateway says of the message that this one quotes, beside its text. */
  quote: z.optional(
    z.object({
      from: z.optional(z.enum(['contact', 'user'])),
      /** The kind, where it is another than text. */
      type: z.optional(z.string()),
      isStatus: z.optional(z.literal(true)),
    }),
  ),
  /** The gateway's name for content that cannot be shown. */
  gatewayType: z.optional(z.string()),
})
export type MessageMetadata = z.infer<typeof messageMetadata>
