import { randomBytes } from 'node:crypto'
import { sameSecret, type Secrets } from '#server/platform/secrets.ts'
import type { UserRow } from './queries.ts'

type Person = Pick<UserRow, 'id' | 'passwordHash'>

/** People who share a browser. */
const mostPeople = 5

const partsOf = (entry: string) => {
  const [id = '', nonce = '', proof = ''] = entry.split('.')
  return { id, nonce, proof }
}

/** Another password makes it worthless. */
const proofOf = (secrets: Secrets, { id, passwordHash }: Person, nonce: string) =>
  secrets.fingerprint(`known-browser:${id}:${nonce}:${passwordHash}`)

const entriesOf = (cookie: string | undefined) => (cookie ?? '').split('~').slice(0, mostPeople)

/**
 * Whether a browser's cookie says that the person has signed in by it before.
 * @returns what its guesses are counted by
 */
export function knownBrowser(
  secrets: Secrets,
  person: Person,
  cookie: string | undefined,
): string | undefined {
  const entry = entriesOf(cookie)
    .map(partsOf)
    .find(({ id }) => id === String(person.id))
  if (!entry || !sameSecret(entry.proof, proofOf(secrets, person, entry.nonce))) return undefined
  return `known:${person.id}:${entry.nonce}`
}

/** The cookie of a browser by which the person has just signed in; it keeps the last others. */
export function withKnownPerson(secrets: Secrets, person: Person, cookie: string | undefined): string {
  const nonce = randomBytes(16).toString('base64url')
  const others = entriesOf(cookie).filter((entry) => /^\d+\.[\w-]{1,30}\.[\w-]{1,60}$/.test(entry))
  return [
    `${person.id}.${nonce}.${proofOf(secrets, person, nonce)}`,
    ...others.filter((entry) => partsOf(entry).id !== String(person.id)),
  ]
    .slice(0, mostPeople)
    .join('~')
}
