/** Numbers for tests. */
import type { GivenNumber } from '#shared/gateway/given-numbers.ts'

export function givenNumber(id: number, given: Partial<GivenNumber> = {}): GivenNumber {
  return {
    id,
    name: `loja${id}`,
    phone: `551195555000${id}`,
    isActive: true,
    isConnected: true,
    isDeleted: false,
    ...given,
  }
}
