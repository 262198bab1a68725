import { type Era, type Row, type Rows, days } from './era.ts'

export function contactRows(era: Era): Rows {
  const { avatar } = era.files
  return {
    companies: [
      {
        id: 1,
        name: 'Padaria São José',
        phone: '1133334444',
        responsible_name: 'José',
        created_at: era.ago(days(90)),
        updated_at: era.ago(days(80)),
      },
      { id: 2, name: 'Padaria Sao Jose', is_active: false },
    ],
    company_distinctions: [{ first_id: 1, second_id: 2, declared_by: 1, declared_at: era.ago(days(1)) }],
    contact_categories: [
      { id: 1, name: 'Fornecedores da prova', description: 'quem nos vende', priority: 10, color: '#00aaff' },
    ],
    contacts: [
      contact(era, 1, {
        name: 'Rita Ácida',
        phone: '5511987650001',
        email: 'rita@exemplo.com.br',
        tags: ['VIP', 'Ação'],
        category: 'Fornecedores da prova',
        notes: 'linha 1\nlinha 2\t"aspas" \\ 🧑🏽‍🚀',
        company_id: 1,
        avatar_url: `/api/contacts/1/avatar?v=${avatar.name}`,
        avatar_updated_at: era.ago(days(8)),
        has_gateway_name: true,
        gateway_named_at: era.ago(days(8)),
      }),
      contact(era, 2, { name: 'Sem número', avatar_url: 'https://exemplo.com.br/foto.png' }),
      contact(era, 3, { name: 'Juntada', deleted_at: era.ago(days(2)) }),
      contact(era, 4, { name: 'Bloqueado', phone: '551133330004', is_blocked: true, is_active: false }),
      contact(era, 5, { name: 'Contato anonimizado', erased_at: era.ago(days(3)) }),
      contact(era, 6, { name: 'Devolvida', phone: '5511987650006' }),
      contact(era, 7, { name: 'Na fila', phone: '5511987650007' }),
      contact(era, 8, { name: 'Antes da escolha', phone: '5511987650008' }),
    ],
    contact_identities: [
      // Made of a typed number.
      {
        id: 1,
        contact_id: 1,
        kind: 'phone',
        value: '5511987650001',
        jid: '5511987650001',
      },
      { id: 2, contact_id: 2, kind: 'lid', value: '99887766554433', jid: '99887766554433@lid' },
      { id: 3, contact_id: 4, kind: 'phone', value: '551133330004', jid: '551133330004@s.whatsapp.net' },
    ],
    contact_distinctions: [{ first_id: 1, second_id: 2, declared_by: 1, declared_at: era.ago(days(1)) }],
    contact_merges: [
      {
        id: 1,
        kept_id: 1,
        merged_id: 3,
        merged_by: 1,
        merged_at: era.ago(60),
        undone_at: era.ago(30),
        undo: {
          kept: facts('Rita'),
          keptAfter: facts('Rita Ácida'),
          merged: facts('Juntada'),
          identityIds: [3],
          conversationIds: [],
          joined: [],
        },
      },
    ],
    contact_imports: [
      {
        id: 1,
        file_name: 'contatos.csv',
        stored_name: era.files.import.name,
        size_bytes: era.files.import.size,
        format: 'csv',
        encoding: 'windows-1252',
        has_bom: false,
        separator: ';',
        headers: ['nome', 'telefone'],
        samples: ['Zé', '11'],
        first_rows: [['Zé', '11']],
        total_rows: 2,
        mapping: ['name', null],
        mapping_from: era.ago(days(40)),
        known_rows: 1,
        state: 'undone',
        run_id: '00000000-0000-4000-8000-000000000010',
        actor: { name: 'Chefe' },
        may_create_companies: true,
        uploaded_by: 1,
        created_at: era.ago(days(5)),
        started_at: era.ago(days(5)),
        ended_at: era.ago(days(5)),
        resumed_at: era.ago(days(5)),
        done_line: 3,
        done_rows: 2,
        created: 1,
        errors: 1,
        undone_line: 2,
        undone_rows: 2,
        deleted: 1,
      },
    ],
    contact_import_rows: [
      {
        import_id: 1,
        line: 2,
        outcome: 'updated',
        contact_id: 1,
        before: { name: 'Rita' },
        after: { name: 'Rita Ácida' },
      },
      {
        import_id: 1,
        line: 3,
        outcome: 'error',
        cells: ['Zé', '11'],
        field: 'phone',
        value: '11',
        error: 'phone',
      },
    ],
    privacy_requests: [
      {
        id: 1,
        kind: 'anonymize',
        contact_id: 5,
        user_id: 1,
        proof: { messages: 3, files: 1 },
        fingerprints: ['of a number'],
        echoes_until: era.ago(-60),
        created_at: era.ago(days(3)),
      },
    ],
  }
}

function contact(era: Era, id: number, row: Row): Row {
  return { id, tags: [], created_at: era.ago(days(100) - id), updated_at: era.ago(days(8)), ...row }
}

const facts = (name: string) => ({
  name,
  phone: null,
  email: null,
  tags: [],
  category: 'general',
  notes: null,
  companyId: null,
  isBlocked: false,
  hasGatewayName: false,
  gatewayNamedAt: null,
})
