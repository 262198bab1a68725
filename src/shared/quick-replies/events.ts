import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'

/** Quick replies of a sector or a person are others; how often each was used is not told. */
export const events = { quick_replies_changed: logged(z.object({}), {}) }
