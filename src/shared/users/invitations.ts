import * as z from 'zod/mini'
import { listing } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { flagsSchema, roles } from '#shared/permissions.ts'
import { accountFields, givenNumberIds, line } from './accounts.ts'
import { id, idParam, instant } from './users.ts'
import { someFlags } from './user-permissions.ts'

// Somebody is invited by a link. With it they choose their own name and password, once, within three days.

/** How long a link is valid. */
export const invitationDays = 3

/** 256 random bits; only the hash is stored. */
const token = z.string().check(z.maxLength(200))

/** An invitation that can still be used. */
const invitation = z.object({
  id,
  /** Whom it is for, as whoever invites wrote it; may be ''. */
  name: z.string(),
  role: z.enum(roles),
  /** The numbers that the person will have; null: all. */
  numberIds: z.nullable(z.array(id)),
  /** The permissions that the person will have; null: those of the role. */
  flags: z.nullable(flagsSchema),
  /** The name of whoever invites. */
  invitedBy: z.string(),
  /** The telephone to which it was last sent, in its stored form. */
  sentTo: z.nullable(z.string()),
  sentAt: z.nullable(instant),
  createdAt: instant,
  expiresAt: instant,
})
export type Invitation = z.infer<typeof invitation>

export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/invitations',
  summary: 'Os convites abertos, o mais novo primeiro',
  act: 'inviteUser',
  audit: listing,
  reply: z.array(invitation),
})

export const invitationForm = z.strictObject({
  name: z._default(line('Nome', 200), ''),
  role: z._default(z.enum(roles), 'operator'),
  numberIds: z._default(givenNumberIds, null),
  /** Those that are not given are as the role has them. */
  flags: z.optional(someFlags),
})

export const createInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations',
  summary: 'Convidar alguém por um link, que vale por três dias e uma vez; o link só é dito agora',
  rows: {
    'POST /api/invitations': { act: 'inviteUser', audit: 'user.invite' },
    'POST /api/invitations (with permissions)': {
      needs: ['canCreateUsers', 'canManagePermissions'],
      roles: ['admin'],
      audit: 'user.invite',
    },
  },
  isSensitive: true,
  body: invitationForm,
  reply: z.object({ invitation, token }),
  status: 201,
})

const params = z.object({ id: idParam })

export const withdrawInvitation = endpoint({
  method: 'DELETE',
  path: '/api/invitations/:id',
  summary: 'Retirar um convite aberto: o link deixa de valer',
  act: 'inviteUser',
  audit: 'user.invite_withdraw',
  ids: { id: 'invitation' },
  params,
})

export const sendInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/:id/send',
  summary: 'Mandar o link de um convite por WhatsApp, de um número da empresa',
  act: 'inviteUser',
  audit: 'user.invite_send',
  ids: { id: 'invitation' },
  params,
  body: z.strictObject({
    token,
    phone: z.string().check(z.trim(), z.minLength(1, 'Digite o telefone'), z.maxLength(40)),
    /** The number that it is sent from; absent: the main one. */
    instanceId: z.optional(id),
  }),
  reply: invitation,
})

/** What whoever has the link is shown before they accept. */
const offer = z.object({
  name: z.string(),
  role: z.enum(roles),
  invitedBy: z.string(),
  expiresAt: instant,
})
export type InvitationOffer = z.infer<typeof offer>

export const openInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/open',
  summary: 'O que um link de convite oferece',
  isPublic: true,
  audit: { not: 'tells whoever has the link what it is for' },
  body: z.strictObject({ token }),
  reply: offer,
})

export const joinForm = z.strictObject({
  name: accountFields.name,
  username: accountFields.username,
  email: accountFields.email,
  password: accountFields.password,
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/accept',
  summary: 'Criar a própria conta com um link de convite',
  isPublic: true,
  audit: 'user.join',
  body: z.extend(joinForm, { token }),
  reply: z.object({ username: z.string() }),
  status: 201,
})
