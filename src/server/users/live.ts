import { renderChanged, renderNothing } from '#server/platform/live/live-render.ts'

export const renderers = {
  account_changed: renderChanged('account_changed'),
  permissions_changed: renderChanged('permissions_changed'),
  session_ended: renderNothing,
}
