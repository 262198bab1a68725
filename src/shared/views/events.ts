import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'

/** The views of the list are others. */
export const events = { views_changed: logged(z.object({}), {}) }
