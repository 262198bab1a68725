import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { useMe } from '#web/users/users.tsx'

const useParts = partInPlace(() => import('#web/tags/tags.tsx'))

/** What lists and chats show of tags, loaded where there are any. */
export const useTagParts = () => useParts(useMe().hasTags)
