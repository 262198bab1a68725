/**
 * What a person can be while connected. 'idle': without input for fifteen minutes. People are told 'Ausente'
 * of both 'away' and 'idle'.
 */
export const workStates = ['available', 'paused', 'away', 'idle'] as const
export type WorkState = (typeof workStates)[number]
