import * as z from 'zod/mini'

// What of an answer may tell a client's telephone number. The server knows these schemas, and masks what
// they describe for people from whom numbers are hidden, in answers and in what is pushed: a field that is
// declared with one of them needs nothing else.

/** A client's number. */
export const clientPhone = z.string()

/** A name, of which the number takes the place where none is known. */
export const clientName = z.string()

/** A text of the product in which a number may stand. What people wrote is none. */
export const textOnClients = z.string()

/** An id, in which the gateway may have written the address of a chat. */
export const gatewayId = z.string()

/** What was told in a conversation beside its text: only the client's own number is hidden in it. */
export const told = z.string()

/**
 * The text of a message: as a person wrote it; in what the product wrote, and in the names on contact cards,
 * the client's own number is hidden.
 */
export const messageContent = z.string()

/** Anything, of which every text may have a number. */
export const anythingOnClients = z.unknown()
