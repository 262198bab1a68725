/** The door of the room: what conversations are tagged with. */
export { tagKeys } from './live.ts'
export { TagField } from './tag-field.tsx'
export { TagFilter } from './tag-filter.tsx'
export { TagBadges, TagMark } from './tag-marks.tsx'
export { TagOptions } from './lazy-tag-options.tsx'
export type { TagState } from './tag-options.tsx'
export { useTagChoice } from './use-tag-choice.ts'
export { useTags } from './use-tags.ts'
