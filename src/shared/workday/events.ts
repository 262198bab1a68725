import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'

/** The reasons of pauses are others. */
export const events = { pauses_changed: logged(z.object({}), {}) }
