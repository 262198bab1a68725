import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { useMe } from '#web/users/users.tsx'

const useParts = partInPlace(() => import('#web/sectors/sectors.tsx'))

/** What lists and chats show of sectors, loaded where there are any. */
export const useSectorParts = () => useParts(useMe().hasSectors)
