import { Check, CheckCheck, CircleAlert, CircleQuestionMark, Clock, type LucideIcon } from 'lucide-react'
import type { DeliveryStatus } from '#shared/messages/delivery.ts'

const marks: Record<DeliveryStatus, { Icon: LucideIcon; label: string; isRead?: boolean }> = {
  pending: { Icon: Clock, label: 'Aguardando envio' },
  sending: { Icon: Clock, label: 'Enviando' },
  unknown: { Icon: CircleQuestionMark, label: 'Verificando envio' },
  failed: { Icon: CircleAlert, label: 'Não enviada' },
  sent: { Icon: Check, label: 'Enviada' },
  delivered: { Icon: CheckCheck, label: 'Entregue' },
  read: { Icon: CheckCheck, label: 'Lida', isRead: true },
  played: { Icon: CheckCheck, label: 'Reproduzida', isRead: true },
}

export function deliveryLabel(status: DeliveryStatus): string {
  return marks[status].label
}

/** The delivery status of a sent message. */
export function DeliveryMark({ status }: { status: DeliveryStatus }) {
  const { Icon, label, isRead } = marks[status]
  return (
    <span role="img" aria-label={label} title={label} className={isRead ? 'text-tick-read' : undefined}>
      <Icon aria-hidden size={14} />
    </span>
  )
}
