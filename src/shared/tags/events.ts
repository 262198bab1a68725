import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'

/** The tags of conversations are others. */
export const events = { tags_changed: logged(z.object({}), {}) }
