import type { WorkState } from '#shared/workday/work-states.ts'

/** What people are told of a state; of a pause its reason is told instead, where it is known. */
export const workStateNames: Readonly<Record<WorkState, string>> = {
  available: 'Disponível',
  paused: 'Em pausa',
  away: 'Ausente',
  idle: 'Ausente',
}

/** The columns of a file of working days; lengths are in seconds. */
export const timesheetHead = [
  'Pessoa',
  'Dia',
  'Entrou',
  'Saiu',
  'Logado (s)',
  'Disponível (s)',
  'Em pausa (s)',
  'Pausas que contam (s)',
  'Ausente (s)',
  'Pausas',
  'Além do limite',
  'Além do limite (s)',
  'Assumidas',
  'Respondidas',
  'Finalizadas',
] as const
