import { access } from './catalog/access.ts'
import { delivery } from './catalog/delivery.ts'
import { stored } from './catalog/stored.ts'
import type { CatalogEntry } from './support/catalog-entry.ts'

/**
 * The ledger of proofs. A proof that has found nothing, and whose subject a test holds, is removed; so is one
 * whose finding and subject a test has taken over.
 */
export const catalog: readonly CatalogEntry[] = [...delivery, ...access, ...stored]
