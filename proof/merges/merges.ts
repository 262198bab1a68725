import { type Flags, flags } from '#shared/permissions.ts'
import { insertConfig } from '#server/gateway/instances/queries.ts'
import { type Database, migrateDatabase } from '#server/platform/database/db.ts'
import { plainWho } from '#server/testing/plain-who.ts'
import { createUser } from '#server/users/users.ts'
import type { Random } from '#simulator/random.ts'
import { defineScenario } from '../support/scenario.ts'
import { startThrowawayDatabase } from '../support/throwaway-database.ts'
import { type Ground, runSequence } from './sequences.ts'

/** Steps of a sequence. */
const length = 14

/** A number without a gateway, and an administrator. */
export async function prepareGround(database: Database, random: Random): Promise<Ground> {
  const { id: instanceId } = await insertConfig(database, {
    instanceName: 'loja1',
    apiKeyEncrypted: '-',
    apiKeyHint: '-',
    baseUrl: 'http://127.0.0.1:1',
  })
  const account = { username: 'chefe', name: 'Chefe', email: 'chefe@teste.example' }
  const id = await createUser(database, { ...account, password: 'senha-de-teste', role: 'admin' })
  const source = { address: null, device: null }
  const all = Object.fromEntries(flags.map((flag) => [flag, true])) as Flags
  const who = { id, ...account, role: 'admin' as const, ...plainWho, flags: all, sessionId: 0, source }
  return { database, instanceId, who, random }
}

/**
 * Contacts are created, write, are merged, parted, finalized, deleted and restored at random: no message is
 * without its conversation, no conversation without its contact, and nobody is two contacts.
 */
export const merges = defineScenario({
  options: { sequences: 10_000 },
  nightly: { sequences: 1000 },

  async arrange({ defer, random }) {
    const { database, close } = await startThrowawayDatabase('merges', 6)
    defer(close)
    await migrateDatabase(database)
    return prepareGround(database, random)
  },

  async act(ground, { options: { sequences }, print, seconds }) {
    const faults: string[] = []
    for (let n = 1; n <= sequences; n++) {
      faults.push(...(await runSequence(ground, length)))
      if (n % 500 === 0) print(`  ${n} sequences in ${seconds()} s, ${faults.length} faults`)
    }
    return faults
  },

  check: (faults, _ground, { options: { sequences } }) => [
    { property: 'messages, conversations and contacts belong together', checked: sequences, faults },
  ],
})
