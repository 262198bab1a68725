import { renderChanged } from '#server/platform/live/live-render.ts'

export const renderers = { tags_changed: renderChanged('tags_changed') }
