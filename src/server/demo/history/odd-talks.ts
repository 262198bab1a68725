import { atHour, dayAfter, weekdayOf } from './calendar.ts'
import type { DemoPerson } from '#server/demo/people.ts'
import { defaultSector } from '#server/demo/sectors.ts'
import type { Dice } from './random.ts'
import { type DemoTalkRecord, waIdFrom } from './timeline.ts'

/** Messages written on the shop's own phone to people without an open conversation. */
const fromThePhone = [
  ['Oi, {nome}! Passei aí na frente e a loja estava fechada. Volto na quinta.'],
  ['{nome}, aqui é a Marina. Deixei as amostras na portaria.'],
  ['Bom dia, {nome}! Chegou o catálogo impresso, separei um para você.', 'Pode pegar quando vier.'],
  ['{nome}, feliz aniversário! 🎉 Tudo de bom para você e a família.'],
  ['Oi, {nome}. Só para avisar que na segunda abrimos às 10h, por causa do inventário.'],
  ['{nome}, achei seu guarda-chuva aqui no balcão 😄'],
] as const

/** Conversations outside the scenarios: started on the phone, or to a number without WhatsApp. */
export function oddTalks(dice: Dice, people: readonly DemoPerson[], today: string): DemoTalkRecord[] {
  const clients = people.flatMap((person, contact) =>
    person.category === 'Cliente' && person.weight > 0 ? [{ person, contact }] : [],
  )
  const fromPhone = clients
    .slice(0, 15)
    .map(({ person, contact }, index) =>
      fromPhoneTalk(dice, person, contact, workdayBefore(today, 4 + index * 6)),
    )
  const unreachable = people.flatMap((person, contact) =>
    person.isUnreachable
      ? [33, 9].map((daysAgo) => unreachableTalk(dice, person, contact, workdayBefore(today, daysAgo)))
      : [],
  )
  return [...fromPhone, ...unreachable]
}

/** Stored unassigned and already completed, as the product does for such messages. */
function fromPhoneTalk(dice: Dice, person: DemoPerson, contact: number, day: string): DemoTalkRecord {
  const start = atHour(day, 7.5).getTime() + dice.between(0, 1500) * 1000
  const messages = dice.pick(fromThePhone).map((text, index) => ({
    waId: waIdFrom(dice, false),
    from: 'phone' as const,
    text: text.replace('{nome}', person.call),
    at: new Date(start + index * 20_000),
  }))
  const completedAt = messages.at(-1)?.at ?? new Date(start)
  return {
    scenario: 'pelo celular',
    contact,
    sector: person.sector ?? defaultSector,
    assignedUserId: null,
    initiatedBy: 'operator',
    completedAt,
    messages,
  }
}

function unreachableTalk(dice: Dice, person: DemoPerson, contact: number, day: string): DemoTalkRecord {
  const at = new Date(atHour(day, 11).getTime() + dice.between(0, 14_000) * 1000)
  const operator = dice.pick(['elisa', 'ana'])
  return {
    scenario: 'número sem WhatsApp',
    contact,
    sector: person.sector ?? defaultSector,
    assignedUserId: operator,
    initiatedBy: 'operator',
    completedAt: new Date(at.getTime() + dice.between(120, 900) * 1000),
    notes: 'Número sem WhatsApp, tentar por telefone.',
    messages: [
      {
        waId: null,
        from: { operator },
        text:
          `Olá, ${person.call}! Aqui é da Empório Aurora Embalagens. ` +
          'Podemos falar sobre o seu orçamento?',
        at,
        status: 'failed',
        failureReason: 'not_on_whatsapp',
      },
    ],
  }
}

function workdayBefore(today: string, daysAgo: number): string {
  const day = dayAfter(today, -daysAgo)
  const weekday = weekdayOf(atHour(day, 12))
  return weekday === 0 ? dayAfter(day, 1) : weekday === 6 ? dayAfter(day, -1) : day
}
